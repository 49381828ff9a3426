// The navigation is drawn late. A link inside of what folds it cannot be reached by a screen reader: it becomes the first entry.
new MutationObserver(() => {
  for (const link of document.querySelectorAll('.tsd-navigation summary a, .site-menu summary a')) {
    const list = link.closest('details')?.querySelector('ul');
    const name = document.createElement('span');
    name.textContent = link.textContent;
    link.replaceWith(name);
    if (!list) continue;
    const entry = document.createElement('li');
    entry.append(link);
    list.prepend(entry);
  }
}).observe(document.documentElement, { childList: true, subtree: true });
