export * from '../../trace/body.ts';
