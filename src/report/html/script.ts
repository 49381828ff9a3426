/** What the page does by itself: it filters the requirement table, and opens what is folded before it is printed. */
export const script = `
const form = document.querySelector('form');
const rows = [...document.querySelectorAll('#requirements tbody tr')];
const told = document.querySelector('output');
function filter() {
  const { status, level, api, words } = Object.fromEntries(new FormData(form));
  const sought = words.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const { dataset, textContent } = row;
    const text = textContent.toLowerCase();
    const fits = (!status || dataset.status === status) && (!level || dataset.level === level) &&
      (!api || dataset.api === api) && sought.every((word) => text.includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  told.value = shown + ' of ' + rows.length + ' shown';
}
form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(filter));
addEventListener('hashchange', () => {
  const row = document.getElementById(location.hash.slice(1));
  if (!row?.hidden) return;
  form.reset();
  setTimeout(() => row.scrollIntoView());
});
addEventListener('beforeprint', () => { for (const part of document.querySelectorAll('details')) part.open = true; });
filter();
`;
