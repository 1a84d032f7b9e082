import { describe, expect, it } from 'vitest';
import { gridViewCreateSchema, MAX_VIEW_LETTERS } from './grid-view.schema.ts';

const view = (change: object) =>
  gridViewCreateSchema.safeParse({ grid: 'funds', title: 'Mine', search: '', ...change });

describe('a view of a grid', () => {
  it('keeps what the grid shows, and neither the page nor another parameter', () => {
    const search = 'skip=50&grid=x&sort=%7B%22title%22%3A1%7D&filter=%7B%7D&next=//evil.example&columns=title';
    expect(view({ search }).data?.search).toBe('filter=%7B%7D&sort=%7B%22title%22%3A1%7D&columns=title');
  });
  it('may show everything in the usual order', () => {
    expect(view({ search: undefined }).data?.search).toBe('');
  });
  it('has a title of 1 to 60 characters, a known grid and a bounded address', () => {
    expect(view({ title: '' }).success).toBe(false);
    expect(view({ title: 'x'.repeat(60) }).success).toBe(true);
    expect(view({ title: 'x'.repeat(61) }).success).toBe(false);
    expect(view({ grid: 'secrets' }).success).toBe(false);
    expect(view({ search: `find=${'x'.repeat(MAX_VIEW_LETTERS - 5)}` }).success).toBe(true);
    expect(view({ search: `find=${'x'.repeat(MAX_VIEW_LETTERS - 4)}` }).success).toBe(false);
  });
});
