export * from '../../spec/kit/timestamp.ts';
