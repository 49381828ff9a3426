import { registerHooks } from 'node:module';

/** The reference but its data, and what stands between it and the judge. All else is loaded once a process. */
const copied =
  /\/(src\/reference\/(?!data\/|defects)|src\/target\/embedded\.ts|src\/run\/prove\/judgeReference\.ts)/;

let copies = 0;

/** Lets a module that is imported with `?copy=…` hand its copy down to the modules of the reference. */
export function installFreshCopies(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const copy =
        context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get('copy');
      return copy === null || !copied.test(resolved.url)
        ? resolved
        : { ...resolved, url: `${resolved.url}?copy=${copy}` };
    },
  });
}

/** A URL under which a module, and with it the reference, is loaded anew: for mutants in code that runs when loaded. */
export function freshUrl(url: string): string {
  copies += 1;
  return `${url}?copy=${copies}`;
}
