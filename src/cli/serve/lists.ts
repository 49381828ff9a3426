import { defects } from '../../reference/defects.ts';
import { dialectPoints } from '../../reference/dialects.ts';
import { renderTable } from '../table.ts';

/** Every seeded mistake: its id, and the rule that it breaks. */
export function renderDefects(): string {
  const columns = [
    { title: 'defect', cell: ({ id }: (typeof defects)[number]) => id },
    { title: 'API', cell: ({ api }: (typeof defects)[number]) => api },
    { title: 'what it breaks', cell: ({ breaks }: (typeof defects)[number]) => breaks },
  ];
  return renderTable(columns, defects);
}

/** Every point at which conforming deployments differ; the first variant is the reference's default. */
export function renderDialects(): string {
  const rows = dialectPoints.flatMap(({ name, openPoint, variants }) =>
    Object.keys(variants).map((variant) => ({ choice: `${name}=${variant}`, openPoint })),
  );
  const columns = [
    { title: 'dialect', cell: ({ choice }: (typeof rows)[number]) => choice },
    { title: 'open point', cell: ({ openPoint }: (typeof rows)[number]) => openPoint ?? '' },
  ];
  return renderTable(columns, rows);
}
