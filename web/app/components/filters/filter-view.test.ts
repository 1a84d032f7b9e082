import { createCatalog } from '@tapeline/domain/filters/catalog.ts';
import { describe, expect, it } from 'vitest';
import { joinDraft, viewFilter } from './filter-view.ts';

const catalog = createCatalog([
  { path: 'address.state', label: 'State', type: 'text' },
  { path: 'fico', label: 'FICO', type: 'number' },
  { path: 'score', label: 'Score', type: 'number' },
  { path: 'dateFinanced', label: 'Origination date', type: 'date' },
  { path: 'company', label: 'Company', type: 'text', isId: true },
  { path: 'id', label: 'Id', type: 'text', isId: true },
]);
const said = (text: string | null) =>
  viewFilter(text, catalog).chips.map((chip) => [chip.phrases.map((phrase) => phrase.text).join(''), chip.without]);

describe('the chips of a filter', () => {
  it('are one a condition, each with the filter that is left without it', () => {
    expect(said('{"state":{"in":["CA","TX"]},"fico":{"gte":600}}')).toEqual([
      ['State is CA or TX', '{"fico":{"gte":600}}'],
      ['FICO is at least 600', '{"address.state":{"in":["CA","TX"]}}'],
    ]);
  });
  it('are one sentence where conditions are joined by or, which goes as a whole', () => {
    expect(said('{"$or":[{"fico":1},{"fico":2}]}')).toEqual([['FICO is 1 or FICO is 2', '']]);
  });
  it('are one for each group that must hold', () => {
    expect(said('{"fico":1,"$or":[{"state":"CA"},{"state":"TX"}]}')).toEqual([
      ['FICO is 1', '{"$or":[{"address.state":"CA"},{"address.state":"TX"}]}'],
      ['State is CA or State is TX', '{"fico":1}'],
    ]);
  });
  it('count the documents that are chosen by their ids', () => {
    const ids = ['65f0c0ffee0000000000000a', '65f0c0ffee0000000000000b'];
    expect(said(JSON.stringify({ company: ids[0] }))[0]?.[0]).toBe('Company: 1 chosen');
    expect(said(JSON.stringify({ company: { nin: ids } }))[0]?.[0]).toBe('Company: not 2 chosen');
    expect(said(JSON.stringify({ id: { in: ids } }))[0]?.[0]).toBe('2 chosen');
    const joined = said(JSON.stringify({ $or: [{ company: ids[0] }, { fico: 1 }] }));
    expect(joined[0]?.[0]).toBe('Company is one selected value or FICO is 1');
  });
  it('are none for no filter, and for one that cannot be read, which says why', () => {
    expect(said(null)).toEqual([]);
    expect(viewFilter('{"salary":1}', catalog)).toMatchObject({ chips: [], text: null });
    expect(viewFilter('{"salary":1}', catalog).problem).toMatch(/is not a field/);
    expect(viewFilter('{', catalog).problem).toMatch(/JSON/);
  });
});

describe('the form of the bar', () => {
  const join = (search: string) => joinDraft(new URLSearchParams(search), catalog);
  it('joins its condition to the filter and starts again at the first page', () => {
    const joined = join(
      'filter={"fico":{"gte":600}}&skip=50&sort={"fico":1}&field=address.state&operator=in&value=CA, TX',
    );
    const goTo = joined && 'goTo' in joined ? Object.fromEntries(joined.goTo) : null;
    expect(goTo).toEqual({ filter: '{"fico":{"gte":600},"address.state":{"in":["CA","TX"]}}', sort: '{"fico":1}' });
  });
  it('says what is wrong and keeps what was written', () => {
    expect(join('field=fico&operator=gte&value=many')).toMatchObject({ draft: { field: 'fico', value: 'many' } });
    expect(join('field=fico&operator=gte&value=')).toMatchObject({ draft: { problem: 'Enter a value' } });
    expect(join('field=nothing&operator=gte&value=1')).toMatchObject({ draft: { problem: 'Choose a field' } });
    expect(join('filter={}')).toBeNull();
  });
  it('joins its condition as an alternative to one filter or to all of them', () => {
    const filterOf = (joins: string, filter = '{"fico":{"gte":600},"address.state":"CA"}') => {
      const joined = join(`filter=${filter}&field=dateFinanced&operator=lt&value=2026-01-01&joins=${joins}`);
      return joined && 'goTo' in joined ? JSON.parse(joined.goTo.get('filter') ?? '') : null;
    };
    const added = { dateFinanced: { lt: '2026-01-01' } };
    expect(filterOf('1')).toEqual({ fico: { gte: 600 }, $or: [{ 'address.state': 'CA' }, added] });
    expect(filterOf('all')).toEqual({ $or: [{ fico: { gte: 600 }, 'address.state': 'CA' }, added] });
    expect(filterOf('9')).toEqual({ fico: { gte: 600 }, 'address.state': 'CA', ...added });
    expect(filterOf('all', '')).toEqual(added);
  });
  it('compares with another field by its label or path, and with the cut-off date where rows have one', () => {
    const filterOf = (search: string) => {
      const joined = join(search);
      return joined && ('goTo' in joined ? joined.goTo.get('filter') : joined.draft.problem);
    };
    expect(filterOf('field=fico&operator=gt&value={Score}')).toBe('{"fico":{"gt":{"$field":"score"}}}');
    expect(filterOf('field=fico&operator=gt&value={score}')).toBe('{"fico":{"gt":{"$field":"score"}}}');
    expect(filterOf('field=fico&operator=gt&value={State}')).toBe('FICO must be a number as FICO is; State is text');
    expect(filterOf('field=dateFinanced&operator=lt&value=cutOff - 90d')).toMatch(/only assets of a loan tape/);
  });
  it('asks for what is known without a value', () => {
    const joined = join('field=fico&operator=exists&value=');
    expect(joined && 'goTo' in joined ? joined.goTo.get('filter') : null).toBe('{"fico":{"exists":true}}');
  });
});
