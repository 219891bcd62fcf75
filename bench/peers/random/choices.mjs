// Choices records the random numbers from which a test case is made. They follow from a seed, and can be replayed in whole
// or in part; missing numbers are 0. Callers list the simplest alternative first, so that fewer and smaller numbers make
// simpler cases, and any failing case can be shrunk without knowing what it is.
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

// mulberry32 returns a generator of 32-bit random numbers.
function mulberry32(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

// simpler returns the simplest choices that still fail, of those found within a number of tries.
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
