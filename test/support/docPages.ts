import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The project's root. */
export const root = join(import.meta.dirname, '../..');

/** Every page of the docs, as a path from the root. */
export function docPages(): readonly string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...top, ...docs].sort();
}

/** The contents of a page's fenced blocks of one language, without the indent that a list gives them. */
export function fencedBlocks(page: string, ...languages: readonly string[]): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, , language]) => language !== undefined && languages.includes(language))
    .map(([, indent = '', , body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** The command lines with options that stand between backticks in a page, without those that have gaps to fill in. */
export function codeSpans(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => / --(?!help|version)/.test(span) && !/[…‹<]|\b[A-Z]{3,}\b(?!-)/.test(span));
}

/** The whole command lines of gatecheck that stand between backticks in a page. */
export function commandSpans(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/`(gatecheck [^`\n]+)`/g)].map(([, span = '']) => span);
}

/** The arguments of each command line of gatecheck in a shell text: comments, assignments and what follows a pipe are left out. */
export function gatecheckLines(shell: string): readonly (readonly string[])[] {
  return shell
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.split(/\s(?:&&|\|\||\||&)(?:\s|$)/))
    .map((command) => wordsOf(command))
    .flatMap((words) => {
      const start = words.findIndex((word) => /^(?:\.\/)?(?:gatecheck|bin\/gatecheck\.js)$/.test(word));
      const before = words.slice(0, Math.max(start, 0));
      const called = before.every((word) => /^(?:npx|node|time|\$|\w+=.*)$/.test(word));
      return start === -1 || !called ? [] : [words.slice(start + 1)];
    });
}

/** The words of a simple command: quotes are taken off, a comment and a redirection end it. */
function wordsOf(command: string): readonly string[] {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
  const end = words.findIndex((word) => word.startsWith('#') || /^\d?>/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** Where a page links to in the project, as paths from the root; anchors and addresses of other sites are left out. */
export function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => relative(root, join(root, page, '..', target)));
}

const folders = 'src|suites|fixtures|test|docs|bench|bin|ci|examples|schemas';

/** Files and folders of the project that a page names, between backticks or in a drawing, as paths or globs from the root. */
export function pathsOf(page: string): readonly string[] {
  if (page === 'CHANGELOG.md') return [];
  const text = readFileSync(join(root, page), 'utf8');
  const inSpans = [...text.matchAll(new RegExp(`\`((?:${folders})/[\\w./*-]*)\``, 'g'))];
  const inDrawings = [...text.matchAll(new RegExp(`^((?:${folders})/[\\w./*-]+\\w)`, 'gm'))];
  return [...new Set([...inSpans, ...inDrawings].map(([, path = '']) => path))];
}
