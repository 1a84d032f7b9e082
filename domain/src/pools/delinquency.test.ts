import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateFilter } from '../filters/evaluate.ts';
import { parseFilter } from '../filters/parse.ts';
import { ASSET_STATUSES } from '../tapes/statuses.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { bucketFilter, DELINQUENCY_BUCKETS } from './delinquency.ts';
import { bucketOf, type DelinquencyFacts } from './testing/bucket-of.ts';

const CUT_OFF = '2026-10-31';
const facts = (change: Partial<DelinquencyFacts>): DelinquencyFacts => ({
  assetStatus: 'current',
  daysPastDue: 0,
  chargeOffDate: null,
  ...change,
});

describe('the bucket of an asset', () => {
  it.each([
    [-3, 'current'],
    [0, 'current'],
    [0.99, 'current'],
    [1, '1-29'],
    [29, '1-29'],
    [29.9, '1-29'],
    [30, '30-59'],
    [59, '30-59'],
    [60, '60-89'],
    [89, '60-89'],
    [90, '90-119'],
    [119, '90-119'],
    [120, '120+'],
    [4000, '120+'],
    [null, 'unknown'],
    [Number.NaN, 'unknown'],
  ])('at %s days past due is %s', (daysPastDue, bucket) => {
    expect(bucketOf(facts({ daysPastDue }), CUT_OFF)).toBe(bucket);
  });

  it('follows the days even if the status differs, and is unknown if there is only a status', () => {
    expect(bucketOf(facts({ assetStatus: 'delinquent', daysPastDue: 0 }), CUT_OFF)).toBe('current');
    expect(bucketOf(facts({ assetStatus: 'current', daysPastDue: null }), CUT_OFF)).toBe('unknown');
    expect(bucketOf(facts({ assetStatus: null, daysPastDue: 45 }), CUT_OFF)).toBe('30-59');
  });

  it('is final for an ended loan: paid takes precedence over charged off, charged off over days', () => {
    expect(bucketOf(facts({ assetStatus: 'prePaid', daysPastDue: null }), CUT_OFF)).toBe('paidOff');
    expect(bucketOf(facts({ assetStatus: 'paid', chargeOffDate: '2026-01-31' }), CUT_OFF)).toBe('paidOff');
    expect(bucketOf(facts({ assetStatus: 'chargedOff', daysPastDue: null }), CUT_OFF)).toBe('chargedOff');
    expect(bucketOf(facts({ assetStatus: null, chargeOffDate: CUT_OFF }), CUT_OFF)).toBe('chargedOff');
  });

  it('ignores a charge-off in the future', () => {
    expect(bucketOf(facts({ daysPastDue: 100, chargeOffDate: '2026-11-01' }), CUT_OFF)).toBe('90-119');
  });
});

describe('the filter of a bucket', () => {
  const catalog = assetCatalog();
  const someFacts = fc.record({
    assetStatus: fc.option(fc.constantFrom(...ASSET_STATUSES)),
    daysPastDue: fc.option(fc.oneof(fc.integer({ min: -5, max: 150 }), fc.constantFrom(0.5, 29.5, 119.99))),
    chargeOffDate: fc.option(fc.constantFrom('2026-10-30', CUT_OFF, '2026-11-01')),
  });

  it('passes the assets of that bucket and no others, whatever fields the tape has', () => {
    const heldFields = fc.subarray(['assetStatus', 'dates.chargeOffDate']);
    fc.assert(
      fc.property(someFacts, heldFields, (drawn, held) => {
        const asset = {
          ...drawn,
          assetStatus: held.includes('assetStatus') ? drawn.assetStatus : null,
          chargeOffDate: held.includes('dates.chargeOffDate') ? drawn.chargeOffDate : null,
        };
        const read: Record<string, unknown> = { ...asset, 'dates.chargeOffDate': asset.chargeOffDate };
        const passed = DELINQUENCY_BUCKETS.filter((bucket) => {
          const filter = parseFilter(
            bucketFilter(bucket, CUT_OFF, (path) => held.includes(path)),
            catalog,
          );
          return evaluateFilter(filter, (field) => read[field.path]) === true;
        });
        expect(passed).toEqual([bucketOf(asset, CUT_OFF)]);
      }),
      { numRuns: 500 },
    );
  });
});
