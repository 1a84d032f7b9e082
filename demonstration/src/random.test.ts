import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

describe('a seeded source of chance', () => {
  it('gives the same sequence for the same seed, on every machine', () => {
    const random = createRandom('northwind/1');
    expect([random.whole(0, 999_999), random.whole(0, 999_999), random.whole(0, 999_999)]).toEqual([
      160_191, 5_082, 408_259,
    ]);
  });

  it('gives other sequences for other seeds', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (first, second) => {
        const [one, other] = [createRandom(first), createRandom(second)];
        const draws = (random: typeof one) => Array.from({ length: 4 }, () => random.next());
        expect(JSON.stringify(draws(one)) === JSON.stringify(draws(other))).toBe(first === second);
      }),
    );
  });

  it('stays within its bounds', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat({ max: 100 }), (seed, min, width) => {
        const random = createRandom(seed);
        const value = random.whole(min, min + width);
        expect(value).toBeGreaterThanOrEqual(min);
        expect(value).toBeLessThanOrEqual(min + width);
      }),
    );
  });

  it('spreads evenly, and normally where asked', () => {
    const random = createRandom('spread');
    const uniforms = Array.from({ length: 20_000 }, () => random.next());
    expect(uniforms.reduce((sum, value) => sum + value, 0) / 20_000).toBeCloseTo(0.5, 1);
    const normals = Array.from({ length: 20_000 }, () => random.normal(100, 15));
    const mean = normals.reduce((sum, value) => sum + value, 0) / 20_000;
    const deviation = Math.sqrt(normals.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 20_000);
    expect(Math.abs(mean - 100)).toBeLessThan(0.5);
    expect(Math.abs(deviation - 15)).toBeLessThan(0.5);
  });

  it('picks by weight and never what weighs nothing', () => {
    const random = createRandom('weights');
    const picks = Array.from({ length: 4_000 }, () =>
      random.pick([
        ['a', 3],
        ['b', 0],
        ['c', 1],
      ] as const),
    );
    expect(picks).not.toContain('b');
    expect(picks.filter((pick) => pick === 'a').length / 4_000).toBeCloseTo(0.75, 1);
  });
});
