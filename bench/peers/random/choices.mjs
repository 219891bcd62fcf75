// Choices are the numbers that something random is made of. They follow from a seed, are kept, and can be given again,
// whole or in part: what is missing is 0. Whoever chooses puts the simplest first, so that fewer and smaller numbers
// make simpler things, and what failed is made simple without knowing what it is.
export class Choices {
  #draw;

  #given;

  constructor(seed, given) {
    this.#draw = mulberry32(seed);
    this.#given = given;
    this.made = [];
  }

  int(n) {
    const given = this.#given;
    const drawn = given ? given[this.made.length] ?? 0 : this.#draw();
    this.made.push(drawn % n);
    return drawn % n;
  }

  pick(list) { return list[this.int(list.length)]; }

  chance(p) { return this.int(1000) >= 1000 * (1 - p); }
}

// mulberry32 is a generator of numbers of 32 bits.
function mulberry32(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

// simpler returns the simplest choices, of those that can be found in so many tries, that still fail.
export async function simpler(made, fails, tries) {
  let best = made;
  const attempt = async (candidate) => {
    if (tries-- <= 0) return false;
    const kept = await fails(candidate);
    if (kept) best = kept;
    return Boolean(kept);
  };
  for (let before = -1; before !== best.length && tries > 0;) {
    before = best.length;
    for (let size = Math.max(1, best.length >> 1); size >= 1 && tries > 0; size >>= 1) {
      for (let at = best.length - size; at >= 0 && tries > 0; at -= size) {
        if (await attempt(best.toSpliced(at, size))) continue;
        if (best.slice(at, at + size).some((n) => n > 0)) await attempt(best.toSpliced(at, size, ...Array(size).fill(0)));
      }
    }
  }
  return best;
}
