// The search of the site: pages that have all the words, those in whose titles they stand first.
const root = new URL('.', document.currentScript.src);
const field = document.querySelector('input[type=search]');
const found = document.getElementById('found');

// index loads the texts of all pages, as a script, since pages that are files may not fetch others.
const index = () => new Promise((done, failed) => {
  const script = document.createElement('script');
  script.src = new URL('index.js', root);
  script.onload = () => done(window.pages);
  script.onerror = failed;
  document.head.append(script);
});
let pages;

async function look() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const all = await (pages ??= index());
  found.replaceChildren();
  const rated = [];
  for (const page of all) {
    const text = page.text.toLowerCase(), title = page.title.toLowerCase();
    if (!words.every((w) => text.includes(w) || title.includes(w))) continue;
    const rate = words.reduce((sum, w) => sum + (title.includes(w) ? 1000 : 0) + text.split(w).length, 0);
    rated.push({ page, rate, at: Math.max(0, text.indexOf(words[0])) });
  }
  rated.sort((a, b) => b.rate - a.rate);
  for (const { page, at } of rated.slice(0, 8)) {
    const line = document.createElement('li'), link = document.createElement('a'), about = document.createElement('p');
    link.href = new URL(page.at.replace(/^\//, ''), root);
    link.textContent = page.title;
    about.textContent = page.text.slice(Math.max(0, at - 40), at + 80);
    line.append(link, about);
    found.append(line);
  }
  if (rated.length === 0) found.textContent = 'Nothing has all of these words.';
}

field.addEventListener('input', look);
field.form.addEventListener('submit', (e) => e.preventDefault());
