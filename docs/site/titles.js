import { Converter, Renderer } from 'typedoc';

/** Where a page stands in the navigation, by the name of its file; what is not named stands under "Reference". */
const groups = {
  'Start here': ['implementer', 'ci', 'qa', 'client'],
  'Judge a deployment': ['environments', 'state-handler', 'callbacks', 'limits', 'containers', 'record-book'],
  'Results and pipelines': ['reports', 'pipelines', 'baseline', 'comparing-runs', 'monitor', 'events'],
  'Traffic and clients': ['recorded-traffic', 'proxy', 'openapi', 'library'],
  Load: ['load', 'workers'],
  'How far it can be trusted': ['proof', 'mutation', 'robustness', 'benchmarks', 'catalogue-notes'],
};
const others = 'Reference';

/**
 * A plugin of TypeDoc: a page of the site has the title that stands in its first heading, instead of the name of its file, and stands in a
 * group of the navigation. Its parts are landmarks, and a table that scrolls can be reached by keys.
 */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
    const [group = others] =
      Object.entries(groups).find(([, names]) => names.includes(page.name.split('/').at(-1))) ?? [];
    page.frontmatter.group = group;
    const heading = page.content.find(({ kind }) => kind === 'text')?.text.match(/^# (.+)$/m);
    if (heading) page.name = heading[1].replaceAll('`', '');
  });
  app.renderer.on(Renderer.EVENT_END_PAGE, (page) => {
    page.contents = page.contents
      ?.replace('<div class="col-content">', '<div class="col-content" role="main">')
      .replace(
        '<div class="col-sidebar">',
        '<div class="col-sidebar" role="complementary" aria-label="Contents">',
      )
      .replaceAll('<table>', '<table tabindex="0">')
      .replaceAll('<h4 class="tsd-', '<h4 aria-level="3" class="tsd-');
  });
}
