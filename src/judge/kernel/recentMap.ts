export { RecentMap } from '../../core/recentMap.ts';
