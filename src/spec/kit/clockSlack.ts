export * from '../../spec/world/clockSlack.ts';
