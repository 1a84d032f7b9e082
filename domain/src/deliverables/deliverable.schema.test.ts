import { describe, expect, it } from 'vitest';
import {
  deliverableCreateSchema,
  deliverableUpdateSchema,
  itemFileSchema,
  itemReasonSchema,
} from './deliverable.schema.ts';

const ID = '65f0c2a1b3d4e5f601234567';
const BODY = {
  company: ID,
  title: 'Monthly tape',
  kind: 'tape',
  frequency: 'monthly',
  firstPeriodEnd: '2026-01-31',
  daysAfter: 10,
};
const problems = (change: object): string[] => {
  const read = deliverableCreateSchema.safeParse({ ...BODY, ...change });
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('a deliverable', () => {
  it('has every reminder, and is reviewed, unless it says otherwise', () => {
    expect(deliverableCreateSchema.parse(BODY)).toMatchObject({
      reminders: ['before', 'due', 'late1', 'late5', 'late10'],
      needsReview: true,
      businessDayRule: 'following',
      calendar: 'weekdays',
      daysUnit: 'calendar',
    });
    expect(deliverableCreateSchema.parse({ ...BODY, reminders: [] }).reminders).toEqual([]);
  });

  it.each<[object, string[]]>([
    [{ title: 'ab' }, []],
    [{ title: 'a' }, ['title: At least 2 characters']],
    [{ title: 'a'.repeat(80) }, []],
    [{ title: 'a'.repeat(81) }, ['title: At most 80 characters']],
    [{ daysAfter: 0 }, []],
    [{ daysAfter: -1 }, ['daysAfter: must be at least 0']],
    [{ daysAfter: 365 }, []],
    [{ daysAfter: 366 }, ['daysAfter: must be at most 365']],
    [{ firstPeriodEnd: '2028-02-29' }, []],
    [{ firstPeriodEnd: '2028-02-28' }, ['firstPeriodEnd: must be the last day of a month']],
    [{ firstPeriodEnd: '2028-02-28', frequency: 'once' }, []],
    [{ lastPeriodEnd: '2026-01-31' }, []],
    [{ lastPeriodEnd: '2026-01-30' }, ['lastPeriodEnd: must not be before the first period']],
    [{ needsReview: true, reviewer: ID }, []],
    [{ needsReview: false, reviewer: ID }, ['reviewer: Only what is reviewed has a reviewer']],
    [{ kind: 'certificate', transaction: ID, note: ID }, []],
    [{ kind: 'certificate' }, ['note: A certificate belongs to one note']],
    [{ note: ID }, ['note: A note comes with its facility']],
    [{ reminders: ['due', 'due', 'due', 'due', 'due', 'due'] }, ['reminders: At most 5 reminders']],
    [{ clause: 'x'.repeat(41) }, ['clause: At most 40 characters']],
    [{ description: 'x'.repeat(1001) }, ['description: At most 1000 characters']],
  ])('%j: %j', (change, expected) => {
    expect(problems(change)).toEqual(expected);
  });

  it('is changed with its version, and keeps its borrower and its note', () => {
    expect(deliverableUpdateSchema.safeParse(BODY).success).toBe(false);
    expect(deliverableUpdateSchema.parse({ ...BODY, note: ID, version: 3 })).not.toHaveProperty('note');
  });
});

it('a file names a document, and a reason has 5 to 500 characters', () => {
  expect(itemFileSchema.safeParse({ document: '' }).success).toBe(false);
  expect(itemFileSchema.safeParse({ document: ID, remark: 'x'.repeat(500) }).success).toBe(true);
  expect(itemFileSchema.safeParse({ document: ID, remark: 'x'.repeat(501) }).success).toBe(false);
  expect([4, 5, 500, 501].map((length) => itemReasonSchema.safeParse({ reason: 'x'.repeat(length) }).success)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
