import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeForm, describeForms } from './describe-form.ts';

const schema = z.object({
  title: z
    .string({ error: ({ input }) => (input === undefined ? REQUIRED : undefined) })
    .max(20, 'At most 20 characters'),
  kind: z.enum(['one', 'two'], { error: 'Choose a kind' }),
  note: z.string().optional(),
  isShared: z.boolean().default(false),
  rows: z.array(z.object({ name: z.string(REQUIRED), side: z.enum(['left', 'right']) })).default([]),
});

describe('the description of a form', () => {
  const { constraint, chosen, missing, checks } = describeForm(schema);
  it('says of each field what HTML can say', () => {
    expect(constraint).toMatchObject({
      title: { required: true },
      note: { required: false },
      'rows[].name': { required: true },
    });
  });
  it('says which fields are chosen', () => {
    expect(chosen).toEqual(['kind', 'isShared', 'rows[].side']);
  });
  it('has the words for a required field that is left empty, and for no other', () => {
    expect(missing).toEqual({ title: REQUIRED, kind: 'Choose a kind' });
  });
  it('loads what checks the form as its action does', async () => {
    const check = await checks?.();
    const form = new FormData();
    form.set('title', 'x'.repeat(21));
    form.set('kind', 'one');
    expect(check?.(form).reply().error).toEqual({ title: ['At most 20 characters'] });
    form.set('title', 'x'.repeat(20));
    expect(check?.(form).status).toBe('success');
  });
  it('is text, so that it can be written into a bundle', () => {
    const plain = { constraint: { ...constraint }, chosen, missing };
    expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
  });
});

it('describes several forms by their names', () => {
  const both = describeForms({ first: schema, other: z.object({ name: z.string(REQUIRED) }) });
  expect([both.first.missing, both.other.missing]).toEqual([
    { title: REQUIRED, kind: 'Choose a kind' },
    { name: REQUIRED },
  ]);
});
