import type { Api } from '../core/operations.ts';
import type { TargetSettings } from '../core/settings.ts';
import type { Problem } from './problem.ts';
import type { GivenValues } from './row.ts';
import { describeTarget, namesTarget, resolveTarget } from './target.ts';

/** The target of an earlier run, which a command goes on with. */
export interface EarlierTarget {
  /** The earlier run, as a message names it. */
  readonly run: string;
  /** The target as a config file would name it; null for an image of a run that did not note its name. */
  readonly given: GivenValues | null;
  /** The APIs whose addresses are known. */
  readonly apis: readonly Api[];
}

/** The target of a run, by what its result or its journal says of it. */
export function earlierTarget(
  run: string,
  {
    kind,
    baseUrls,
    image,
  }: {
    readonly kind: TargetSettings['kind'];
    readonly baseUrls: Readonly<Partial<Record<Api, string>>>;
    readonly image?: string | undefined;
  },
): EarlierTarget {
  const hosts = Object.entries(baseUrls);
  const apis = kind === 'url' ? hosts.map(([api]) => api as Api) : [];
  const [first, ...more] = new Set(Object.values(baseUrls));
  const urls =
    more.length === 0
      ? { target: first }
      : Object.fromEntries(hosts.map(([api, url]) => [`baseUrls.${api}`, url]));
  const images = image === undefined ? null : { image: { reference: image, container: null } };
  return { run, apis, given: { embedded: { target: 'embedded' }, url: urls, image: images }[kind] };
}

/** The sources with the target of the earlier run, which counts where the command line names none. */
export function withEarlier(
  sources: readonly GivenValues[],
  earlier: EarlierTarget | null,
): { readonly sources: readonly GivenValues[]; readonly problems: readonly Problem[] } {
  const [flags = {}, ...others] = sources;
  if (earlier === null || namesTarget(flags)) return { sources, problems: [] };
  const other = others.find(namesTarget);
  if (other !== undefined && isSameTarget(earlier, resolveTarget(others))) return { sources, problems: [] };
  if (other === undefined && earlier.given !== null)
    return { sources: [flags, earlier.given, ...others], problems: [] };
  const got =
    other === undefined ? 'none' : `${describeTarget(resolveTarget(others))} from environment or config`;
  const fault = `expected ${describeEarlier(earlier)}; got ${got}. Name the one that is meant on the command line`;
  return { sources, problems: [{ where: '--target', fault }] };
}

/** Whether a target is that of the earlier run, as far as it is known. */
export function isSameTarget(earlier: EarlierTarget, target: TargetSettings): boolean {
  if (earlier.given === null) return target.kind === 'image';
  const before = resolveTarget([earlier.given]);
  if (before.kind === 'image') return target.kind === 'image' && target.reference === before.reference;
  if (before.kind === 'embedded' || target.kind !== 'url') return target.kind === before.kind;
  return earlier.apis.every((api) => target.baseUrls[api] === before.baseUrls[api]);
}

/** The target of the earlier run in words. */
export function describeEarlier({ run, given }: EarlierTarget): string {
  const named = given === null ? 'an image that is not noted' : describeTarget(resolveTarget([given]));
  return `the target of ${run} (${named})`;
}
