// The search of the site: pages that have all the words, those in whose titles they stand first.
const self = document.currentScript;
const field = document.querySelector('input[type=search]');
const found = document.getElementById('found');
let pages;

async function look() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  pages ??= await (await fetch(self.dataset.index)).json();
  const rated = [];
  for (const page of pages) {
    const text = page.text.toLowerCase(), title = page.title.toLowerCase();
    if (!words.every((w) => text.includes(w) || title.includes(w))) continue;
    const rate = words.reduce((sum, w) => sum + (title.includes(w) ? 1000 : 0) + text.split(w).length, 0);
    rated.push({ page, rate, at: Math.max(0, text.indexOf(words[0])) });
  }
  rated.sort((a, b) => b.rate - a.rate);
  for (const { page, at } of rated.slice(0, 8)) {
    const line = document.createElement('li'), link = document.createElement('a'), about = document.createElement('p');
    link.href = self.dataset.root + page.at.replace(/^\//, '');
    link.textContent = page.title;
    about.textContent = page.text.slice(Math.max(0, at - 40), at + 80);
    line.append(link, about);
    found.append(line);
  }
  if (rated.length === 0) found.textContent = 'Nothing has all of these words.';
}

field.addEventListener('input', look);
field.form.addEventListener('submit', (e) => e.preventDefault());
