import type { z } from 'zod';
import { apis, type Api } from '../core/operations.ts';
import type { TargetSettings } from '../core/settings.ts';
import { containerOf, type image } from './container.ts';
import type { Problem } from './problem.ts';
import type { GivenValues } from './row.ts';

/** What one source says about the target; `url` is for the APIs without a host of their own. */
interface Named {
  readonly isEmbedded: boolean;
  readonly image: z.output<ReturnType<typeof image>> | undefined;
  readonly url: string | undefined;
  readonly hosts: Partial<Record<Api, string>>;
}

/** The target of the first source that names one; an API without an address gets the other's, and conflicts are reported if it is used. */
export function resolveTarget(sources: readonly GivenValues[]): TargetSettings {
  const { image, url, hosts = {} } = chosen(sources) ?? {};
  if (image?.reference != null)
    return { kind: 'image', reference: image.reference, container: containerIn(sources) };
  const any = url ?? hosts.webcheckin ?? hosts['flight-alerts'];
  if (any === undefined) return { kind: 'embedded' };
  const { webcheckin = url ?? any, 'flight-alerts': flightAlerts = url ?? any } = hosts;
  return { kind: 'url', baseUrls: { webcheckin, 'flight-alerts': flightAlerts } };
}

/** Whether a source names a target. */
export function namesTarget(source: GivenValues): boolean {
  const { image, ...named } = namedIn(source);
  return image?.reference != null || isAddressed(named);
}

/** The APIs without an address, if the other one has a host. */
export function unnamedHosts(sources: readonly GivenValues[]): readonly Api[] {
  const { image, url, hosts = {} } = chosen(sources) ?? {};
  if (image?.reference != null || url !== undefined || Object.keys(hosts).length === 0) return [];
  return apis.filter((api) => hosts[api] === undefined);
}

/** A source may name an image or an address, not both. */
export function targetProblems(source: GivenValues, where: string): readonly Problem[] {
  const { image, ...named } = namedIn(source);
  if (image?.reference == null || !isAddressed(named)) return [];
  return [{ where, fault: 'expected either an image or a target; got both' }];
}

/** A target in words. */
export function describeTarget(target: TargetSettings): string {
  if (target.kind === 'embedded') return 'the embedded reference';
  if (target.kind === 'image') return `the image ${target.reference}`;
  return [...new Set(Object.values(target.baseUrls))].join(' and ');
}

function chosen(sources: readonly GivenValues[]): Named | undefined {
  const source = sources.find(namesTarget);
  return source && namedIn(source);
}

function isAddressed({ isEmbedded, url, hosts }: Omit<Named, 'image'>): boolean {
  return isEmbedded || url !== undefined || Object.keys(hosts).length > 0;
}

function namedIn(source: GivenValues): Named {
  const target = source.target as string | undefined;
  const isEmbedded = target === 'embedded';
  const hosts = apis.flatMap((api) => {
    const host = source[`baseUrls.${api}`];
    return typeof host === 'string' ? [[api, host] as const] : [];
  });
  return {
    isEmbedded,
    image: source.image as Named['image'],
    url: isEmbedded ? undefined : target,
    hosts: Object.fromEntries(hosts),
  };
}

/** `--image REF` overrides the reference in the file; the other container settings of the file still apply. */
function containerIn(sources: readonly GivenValues[]) {
  const described = sources.map(namedIn).find(({ image }) => image?.container != null)?.image?.container;
  const container = described ?? containerOf();
  const auth = sources.map((source) => source['stateHandler.auth']).find((value) => value !== undefined);
  const own = container.stateHandler;
  // The header for the state handler may come from the environment, even if the container has the handler.
  return {
    ...container,
    stateHandler: own && { ...own, auth: (auth as typeof own.auth | undefined) ?? own.auth },
  };
}

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
