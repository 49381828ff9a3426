import { Converter } from 'typedoc';

/** A plugin of TypeDoc: a page of the site has the title that stands in its first heading, instead of the name of its file. */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
    const heading = page.content.find(({ kind }) => kind === 'text')?.text.match(/^# (.+)$/m);
    if (heading) page.name = heading[1].replaceAll('`', '');
  });
}
