import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

interface SiteLinks {
  /** Links within the site that were followed. */
  readonly followed: number;
  /** Those that lead to no file, or to no place of their page: "page: link". */
  readonly broken: readonly string[];
}

/** Follows every link, script, style and picture of a built site that stays within it, with the place that it names. */
export function followLinks(site: string): SiteLinks {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const texts = new Map(pages.map((name) => [join(site, name), readFileSync(join(site, name), 'utf8')]));
  const places = new Map([...texts].map(([page, text]) => [page, placesOf(text)]));
  const links = [...texts].flatMap(([page, text]) => linksIn(text).map((link) => [page, link] as const));
  const isBroken = ([page, link]: readonly [string, string]) => {
    const [path = '', place = ''] = link.split('#');
    const target = path === '' ? page : resolve(dirname(page), decodeURIComponent(path));
    const there = places.get(target);
    return !existsSync(target) || (place !== '' && there?.has(decodeURIComponent(place)) === false);
  };
  return {
    followed: links.length,
    broken: links.filter(isBroken).map(([page, link]) => `${relative(site, page)}: ${link}`),
  };
}

function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => link !== '' && !/^[a-z]+:/i.test(link));
}

function placesOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, place = '']) => place));
}
