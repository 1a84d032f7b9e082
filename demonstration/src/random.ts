/** Repeatable random numbers: the same seed gives the same sequence on every machine. */
export type Random = {
  /** A double in [0, 1). */
  next: () => number;
  /** An integer from `min` to `max`, both inclusive. */
  whole: (min: number, max: number) => number;
  /** True with probability `share` (0 to 1). */
  chance: (share: number) => boolean;
  /** A sample of the standard normal distribution. */
  normal: (mean: number, deviation: number) => number;
  /** One of the values, with a probability proportional to its weight. */
  pick: <T>(choices: readonly (readonly [value: T, weight: number])[]) => T;
};

/**
 * An independent stream for each seed (sfc32, seeded with a hash of the text). Each loan has its own seed, so a change
 * to how one loan is generated does not affect the others.
 */
export function createRandom(seed: string): Random {
  let [a, b, c, counter] = hashWords(seed);
  const next = (): number => {
    const mixed = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + mixed;
    c |= 0;
    return (mixed >>> 0) / 4294967296;
  };
  for (let round = 0; round < 12; round += 1) next();

  return {
    next,
    whole: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (share) => next() < share,
    normal: (mean, deviation) => mean + deviation * standardNormal(next(), next()),
    pick: (choices) => {
      let left = next() * choices.reduce((total, [, weight]) => total + weight, 0);
      for (const [value, weight] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return choices[choices.length - 1]![0];
    },
  };
}

/**
 * Irwin-Hall on the bits of two uniforms instead of Box-Muller. It uses exact operations only, because `Math.log` and
 * `Math.cos` can differ in the last bit between machines.
 */
function standardNormal(first: number, second: number): number {
  let total = 0;
  for (const uniform of [first, second]) {
    let rest = uniform;
    for (let part = 0; part < 4; part += 1) {
      rest *= 256;
      const digit = Math.floor(rest);
      total += (digit + 0.5) / 256;
      rest -= digit;
    }
  }
  return (total - 4) / 0.816496580927726; // eight uniforms: mean 4, deviation sqrt(8 / 12)
}

/** Four 32-bit words from a text (FNV-1a over two lanes, with murmur's finalizer). */
function hashWords(text: string): [number, number, number, number] {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) + low;
  }
  const mix = (word: number): number => {
    let mixed = word;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
  };
  return [mix(low), mix(high), mix(low ^ 0x9e3779b9), 1];
}
