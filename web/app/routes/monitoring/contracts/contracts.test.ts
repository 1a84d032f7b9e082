import { northwindContract } from '@tapeline/demonstration/facilities.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { describe, expect, it } from 'vitest';
import { compareContracts } from './compare-contracts.ts';
import { formOfItem, ITEM_FORMS, itemOfForm } from './item-forms.ts';
import { describeItem, viewItems } from './item-views.ts';
import { moveItem, putItem, removeItem, SECTIONS, sectionItems, withItems } from './sections.ts';
import { phrasesText } from './sentences.ts';

const catalog = assetCatalog([{ path: 'debtToIncome', kind: 'percentage', label: 'Debt to income' }]);
const contract = transactionContractSchema.parse(northwindContract('a'.repeat(24)));
const changed = (change: unknown) => transactionContractSchema.parse(change);

describe('the items of a contract in words', () => {
  const said = (section: (typeof SECTIONS)[number]) =>
    sectionItems(contract, section).map((item) => phrasesText(describeItem(section, item, catalog).phrases));

  it('say what a limit measures and where it lies', () => {
    expect(said('concentration')).toEqual([
      'Any one State at most 12% of Total Eligible & Performing Pool',
      'Any one Borrower id at most 1% of Total Eligible & Performing Pool',
      'Largest 10 by Borrower id together at most 2% of Total Eligible & Performing Pool',
      'Assets where Grade is E or F at most 7% of Total Eligible & Performing Pool',
      'Assets where Term is more than 48 at most 45% of Total Eligible & Performing Pool',
      'Average Origination credit score at least 690',
    ]);
  });
  it('say the scope of a case and the pool of a value', () => {
    expect(said('advance')).toEqual(['Every asset in Secured', 'Grade is A or B']);
    expect(said('values')).toEqual([
      'Weighted average Interest rate of Eligible Or Performing',
      'Sum of current balance of Eligible Or Performing where Days past due is more than 0',
    ]);
  });
  it('say before, not until, for the day on which a rule ends', () => {
    expect(viewItems(contract, 'eligibility', catalog, null).at(-1)?.notes).toEqual([
      'before 31 Dec 2027',
      '1 exception by condition',
    ]);
  });
  it('tell why a filter cannot be read, and show it as it stands', () => {
    const item = { title: 'x', filter: { salary: { gte: 1 } } };
    expect(describeItem('eligibility', item, catalog)).toMatchObject({
      problem: expect.stringMatching(/is not a field/),
    });
  });
});

describe('offsets and groups of parents', () => {
  const offsets = [
    { title: 'Payables', kind: 'field', groupBy: 'borrowerId', parent: 'sector', field: 'sums.arrears' },
    { title: 'Cash', kind: 'field', groupBy: 'borrowerId', field: 'sums.arrears', amounts: 'perAsset' },
    { title: 'Credits', kind: 'negatives', groupBy: 'borrowerId' },
    {
      ...{ title: 'Ledger', kind: 'file', groupBy: 'borrowerId', parent: 'sector' },
      ...{ file: 'payables', groupColumn: 'Vendor', amountColumn: 'Balance' },
    },
  ];
  const wholeGroup = { groupBy: 'borrowerId', parent: 'sector', percent: 25 };
  const eligibilityRules = [{ title: 'Cross-aging', filter: { daysPastDue: { lte: 90 } }, wholeGroup }];
  const next = changed({ ...contract, offsets, eligibilityRules });
  const said = (section: (typeof SECTIONS)[number]) =>
    sectionItems(next, section).map((item) => phrasesText(describeItem(section, item, catalog).phrases));

  it('say what is taken off which groups', () => {
    expect(said('offsets')).toEqual([
      'Arrears, the same on each asset of a Borrower id or its Sector, taken off its eligible amounts',
      'Arrears, added up over the assets of a Borrower id, taken off its eligible amounts',
      'Negative balances of a Borrower id, taken off its eligible amounts',
      'Amounts of the file “payables” by Borrower id or its Sector, from its columns “Vendor” and “Balance”, taken off its eligible amounts',
    ]);
    expect(said('eligibility')).toEqual([
      'All of a Borrower id or its Sector if at least 25% of its amount fails: Days past due is at most 90',
    ]);
  });

  it('come back from the form as they were', () => {
    for (const section of ['offsets', 'eligibility'] as const) {
      const items = sectionItems(next, section).map((item) => {
        const form = formOfItem(section, item, catalog);
        return itemOfForm(section, ITEM_FORMS[section].parse({ ...form, enabled: form.enabled === 'on' }), catalog);
      });
      expect(compareContracts(next, changed(withItems(next, section, items)), catalog), section).toEqual([]);
    }
    expect(changed(withItems(next, 'offsets', [])).offsets).toBeUndefined();
  });

  it('differ in words', () => {
    const [payables, ...others] = offsets;
    const perAsset = changed({ ...next, offsets: [{ ...payables, amounts: 'perAsset' }, ...others] });
    expect(compareContracts(next, perAsset, catalog)).toEqual([
      {
        ...{ section: 'offsets', title: 'Payables', kind: 'changed' },
        before: 'Arrears, the same on each asset of a Borrower id or its Sector, taken off its eligible amounts',
        after: 'Arrears, added up over the assets of a Borrower id or its Sector, taken off its eligible amounts',
      },
    ]);
  });

  it('need a field with the amount, and a group for a parent', () => {
    const offset = ITEM_FORMS.offsets.parse({ title: 'x', kind: 'field', groupBy: 'borrowerId' });
    expect(() => itemOfForm('offsets', offset, catalog)).toThrow('Choose the field with the amount');
    const group = ITEM_FORMS.offsets.parse({ title: 'x', kind: 'negatives' });
    expect(() => itemOfForm('offsets', group, catalog)).toThrow('Choose what makes a group');
    const ofFile = { title: 'x', kind: 'file', groupBy: 'borrowerId' };
    const parsed = (more: object) => itemOfForm('offsets', ITEM_FORMS.offsets.parse({ ...ofFile, ...more }), catalog);
    expect(() => parsed({})).toThrow('Enter a part of the file’s name');
    expect(() => parsed({ file: 'ap' })).toThrow('Enter the header of the column with the groups');
    expect(() => parsed({ file: 'ap', groupColumn: 'a' })).toThrow('Enter the header of the column with the amounts');
    const columns = { file: 'ap', groupColumn: 'a', amountColumn: 'b' };
    expect(parsed({ ...columns, field: 'sums.arrears' })).toEqual({ ...ofFile, ...columns, enabled: false });
    const rule = ITEM_FORMS.eligibility.parse({ title: 'x', parent: 'sector' });
    expect(() => itemOfForm('eligibility', rule, catalog)).toThrow('Choose what makes a group, or clear its parent');
  });
});

describe('the form of an item', () => {
  const read = (section: (typeof SECTIONS)[number], form: Record<string, unknown>) =>
    itemOfForm(section, ITEM_FORMS[section].parse(form), catalog);
  /** The form as the browser sends it: a checkbox is either present or absent. */
  const sent = (form: Record<string, unknown>) => ({ ...form, enabled: form.enabled === 'on' });

  it('gives back every item of a contract as it was', () => {
    for (const section of SECTIONS) {
      const items = sectionItems(contract, section).map((item) =>
        read(section, sent(formOfItem(section, item, catalog))),
      );
      const back = changed(withItems(contract, section, items));
      expect(compareContracts(contract, back, catalog), section).toEqual([]);
    }
  });
  it('starts a new item as it is stored if nothing is chosen: a limit is at most a percentage of a sum', () => {
    expect(formOfItem('concentration', null, catalog)).toMatchObject({
      operand: 'lte',
      unit: 'percentage',
      accumulator: '$sum',
      enabled: 'on',
    });
    expect(formOfItem('concentration', { title: 'Of a chat', filter: {} }, catalog)).toMatchObject({ operand: 'lte' });
    expect(formOfItem('values', null, catalog)).toMatchObject({ pool: 'eligibleOrPerforming', accumulator: '$sum' });
    for (const section of SECTIONS) {
      const blank = { title: 'x', rate: 1, value: 1 };
      const chosen = ITEM_FORMS[section].parse({
        ...sent(formOfItem(section, null, catalog)),
        ...blank,
        enabled: false,
      });
      expect(chosen, section).toMatchObject(ITEM_FORMS[section].parse(blank));
    }
  });
  it('gives back groups, comparisons of fields and dates relative to the cut-off date', () => {
    const filter = {
      daysPastDue: { lte: 30 },
      $or: [
        { 'sums.outstandingSum': { lte: { $field: 'sums.sum' } } },
        { $nor: [{ 'dates.lastPaymentDate': { lt: { $cutOff: '-90d' } } }, { sector: '{a}' }] },
      ],
    };
    const form = formOfItem('scopes', { title: 'x', filter }, catalog);
    const rows = form.rows as { open: string; value: string; close: string }[];
    expect(rows.map(({ open, value, close }) => `${open}${value}${close}`)).toEqual([
      '30',
      '({Original principal}',
      'not (cutOff - 90d',
      '"{a}"))',
    ]);
    expect(read('scopes', form).filter).toEqual(filter);
  });
  it.each([
    { sector: { like: 'auto' } },
    { sector: { in: ['Bakery, retail'] } },
    { sector: { regex: 'auto', options: 'i' } },
  ])('shows %j as JSON, because a line would be saved as another condition', (filter) => {
    const form = formOfItem('scopes', { title: 'x', filter }, catalog);
    expect(form.mode).toBe('json');
    expect(read('scopes', form).filter).toEqual(filter);
  });
  it('says which line has brackets that do not match', () => {
    const line = { path: 'daysPastDue', operator: 'lte', value: '30' };
    const rows = [line, {}, { ...line, join: 'or', open: '(' }];
    expect(flagsOf({ rows })).toEqual({ 'rows[2].value': 'The bracket that opens here is not closed' });
    expect(flagsOf({ rows: [{ open: '(' }] })).toEqual({ 'rows[0].path': 'Choose a field' });
  });
  it('passes over lines without a field', () => {
    const lines = [{}, { path: 'daysPastDue', operator: 'lte', value: '30' }, { operator: 'eq' }];
    expect(read('eligibility', { title: 'Late', rows: lines })).toMatchObject({ filter: { daysPastDue: { lte: 30 } } });
  });
  it('reads groups as JSON, and contains as a part of the text', () => {
    const json = '{"$or":[{"address.state":"CA"},{"daysPastDue":{"gt":5}}]}';
    expect(read('scopes', { title: 'x', mode: 'json', json }).filter).toEqual(JSON.parse(json));
    const rows = [{ path: 'sector', operator: 'like', value: 'auto' }];
    expect(read('scopes', { title: 'x', rows }).filter).toEqual({ sector: { like: '%auto%' } });
  });

  const flagsOf = (form: Record<string, unknown>) => {
    try {
      read('eligibility', { title: 'x', ...form });
    } catch (error) {
      if (isRefusal(error)) return error.flags;
      throw error;
    }
    return null;
  };
  it('names the field in error', () => {
    const rows = (value: string) => [{}, { path: 'daysPastDue', operator: 'lte', value }];
    expect(flagsOf({ rows: rows('many') })).toEqual({ 'rows[1].value': 'must be a number, not "many"' });
    expect(flagsOf({ rows: rows(' ') })).toEqual({ 'rows[1].value': 'Enter a value' });
    expect(flagsOf({ mode: 'json', json: '{' })).toEqual({ json: expect.stringMatching(/JSON/) });
    expect(flagsOf({ rows: [{ value: '30' }] })).toEqual({ 'rows[0].path': 'Choose a field' });
  });

  describe('with exceptions', () => {
    const late = { path: 'daysPastDue', operator: 'gt', value: '30' };
    const rule = (exceptions: unknown[]) => ({ title: 'x', filter: {}, enabled: true, exceptions });
    const saved = (exceptions: unknown[]) =>
      read('eligibility', sent(formOfItem('eligibility', rule(exceptions), catalog))).exceptions;

    it('opens them as lines, and saves them unchanged', () => {
      const exceptions = [
        { assetId: 'A-1', reason: 'agreed' },
        {
          filter: {
            dateFinanced: { lt: { $cutOff: '-90d' } },
            $or: [{ 'sums.outstandingSum': { gt: { $field: 'sums.sum' } } }, { sector: { in: ['Auto', 'Home'] } }],
          },
        },
      ];
      const form = formOfItem('eligibility', rule(exceptions), catalog);
      const [asset, condition] = form.exceptions as { mode?: string; json?: string; rows: Record<string, string>[] }[];
      expect(asset).toMatchObject({ assetId: 'A-1', reason: 'agreed' });
      expect(condition).toMatchObject({ mode: 'lines', json: '' });
      expect(condition?.rows.map(({ join, open, path, value, close }) => [join, open, path, value, close])).toEqual([
        ['and', '', 'dateFinanced', 'cutOff - 90d', ''],
        ['and', '(', 'sums.outstandingSum', '{Original principal}', ''],
        ['or', '', 'sector', 'Auto, Home', ')'],
      ]);
      expect(saved(exceptions)).toEqual(exceptions);
    });
    it.each([{}, { sector: { like: 'auto' } }, { sector: { in: ['Bakery, retail'] } }])(
      'opens %j as JSON, because lines cannot show it',
      (filter) => {
        const form = formOfItem('eligibility', rule([{ filter }]), catalog);
        expect(form.exceptions).toMatchObject([{ mode: 'json' }]);
        expect(saved([{ filter }])).toEqual([{ filter }]);
      },
    );
    it('opens a condition that the mapping cannot read as JSON, and names its box', () => {
      const stated = [{ filter: { salary: { gte: 1 } } }, { filter: '{"salary":1}' }];
      const form = formOfItem('eligibility', rule(stated), catalog);
      const jsons = (form.exceptions as { json: string }[]).map(({ json }) => JSON.parse(json));
      expect(jsons).toEqual([{ salary: { gte: 1 } }, { salary: 1 }]);
      expect(flagsOf(sent(form))).toEqual({ 'exceptions[0].json': expect.stringMatching(/is not a field/) });
    });
    it('opens conditions after the first 50 as JSON, so that the form can be sent', () => {
      const many = Array.from({ length: 52 }, (_, at) => ({ filter: { daysPastDue: { gt: at } } }));
      const modes = (formOfItem('eligibility', rule(many), catalog).exceptions as { mode: string }[]).map(
        ({ mode }) => mode,
      );
      expect(modes.slice(48)).toEqual(['lines', 'lines', 'json', 'json']);
      expect(saved(many)).toEqual(many);
    });
    it('passes over empty ones', () => {
      const empty = { mode: 'lines', assetId: '', json: ' ', rows: [{ operator: 'eq', join: 'and', value: '' }] };
      const blank = { mode: 'json', rows: [late] };
      expect(read('eligibility', { title: 'x', exceptions: [empty, {}, blank] }).exceptions).toEqual([]);
    });
    it.each([
      [{ reason: 'agreed' }, 'assetId', 'Enter an asset or a condition'],
      [{ assetId: 'A1', rows: [late] }, 'assetId', 'Enter either an asset or a condition'],
      [{ assetId: 'A1', mode: 'json', json: '{}' }, 'assetId', 'Enter either an asset or a condition'],
      [{ rows: [{}, { ...late, value: 'many' }] }, 'rows[1].value', 'must be a number, not "many"'],
      [{ rows: [late, { ...late, open: '(' }] }, 'rows[1].value', 'The bracket that opens here is not closed'],
      [{ rows: [{ value: '30' }] }, 'rows[0].path', 'Choose a field'],
      [{ json: '{"daysPastDue":1}' }, 'mode', 'Choose JSON, or clear the JSON box'],
      [{ mode: 'json', json: '{' }, 'json', expect.stringMatching(/JSON/)],
    ])('names the field of %j in error', (exception, field, reason) => {
      expect(flagsOf({ exceptions: [{ assetId: 'A0' }, exception] })).toEqual({ [`exceptions[1].${field}`]: reason });
    });
  });
});

describe('the list of a part', () => {
  it('puts, removes and moves, and stays where an end is reached', () => {
    expect(putItem(['a', 'b'], 1, 'c')).toEqual(['a', 'c']);
    expect(putItem(['a', 'b'], null, 'c')).toEqual(['a', 'b', 'c']);
    expect(removeItem(['a', 'b', 'c'], 1)).toEqual(['a', 'c']);
    expect(moveItem(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moveItem(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
    expect(moveItem(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  });
});

describe('comparing two versions', () => {
  it('finds nothing between a contract and itself', () => {
    expect(compareContracts(contract, changed(JSON.parse(JSON.stringify(contract))), catalog)).toEqual([]);
  });
  it('tells how overlapping limits combine', () => {
    const next = changed({ ...contract, overlap: 'maximumPerAsset' });
    expect(compareContracts(contract, next, catalog)).toEqual([
      {
        section: 'concentration',
        title: 'Overlapping limits',
        kind: 'changed',
        before: 'One after another',
        after: 'Largest excess per asset',
      },
    ]);
  });
  it('tells what was added, removed, changed and moved', () => {
    const rules = contract.eligibilityRules.map((rule) =>
      rule.title === 'FICO is at least 640' ? { ...rule, filter: { 'creditScores.origination': { gte: 680 } } } : rule,
    );
    const next = changed({
      ...contract,
      eligibilityRules: rules.slice(1),
      values: moveItem(contract.values, 0, 1),
      performanceRules: [
        ...contract.performanceRules.map((rule) => ({ ...rule, enabled: false })),
        { title: 'Known', filter: { assetId: { exists: true } } },
      ],
      advanceRate: { ...contract.advanceRate, defaultRate: 75 },
    });
    expect(compareContracts(contract, next, catalog)).toEqual([
      {
        section: 'eligibility',
        title: 'FICO is at least 640',
        kind: 'changed',
        before: 'Origination credit score is at least 640',
        after: 'Origination credit score is at least 680',
      },
      {
        section: 'eligibility',
        title: 'Asset type is loan',
        kind: 'removed',
        before: 'Asset type is loan',
        after: null,
      },
      {
        section: 'performance',
        title: 'Days past due is at most 30',
        kind: 'changed',
        before: 'Days past due is at most 30 (enabled)',
        after: 'Days past due is at most 30 (disabled)',
      },
      { section: 'performance', title: 'Known', kind: 'added', before: null, after: 'Asset id is known' },
      { section: 'values', title: 'Late but performing', kind: 'moved', before: 'position 2', after: 'position 1' },
      { section: 'values', title: 'Average interest rate', kind: 'moved', before: 'position 1', after: 'position 2' },
      { section: 'advance', title: 'Default rate', kind: 'changed', before: '80%', after: '75%' },
    ]);
  });
});
