import type { Field, FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { assetListCatalog } from '@tapeline/lake/asset-relation.ts';
import type { AssetQuery } from '@tapeline/lake/assets.ts';
import { TAPE_FACTS } from '../tape-data/mapping.ts';
import { randomNumbers } from '../tape-data/workbook.ts';
import { compileTapeMapping } from '../transform/staged-parts.ts';

const PAGE_ROWS = 100;

export interface GridQuery extends AssetQuery {
  /** The filter as a caller writes it. */
  readonly asked: Record<string, unknown>;
}

/** The columns of the generated tape, and the fields that its list can be filtered and sorted by. */
export function benchTape() {
  const { columns, fields } = compileTapeMapping();
  const customFields = fields.filter(({ custom }) => custom).map(({ path, kind, label }) => ({ path, kind, label }));
  const catalog = assetListCatalog([
    {
      tapeId: '',
      companyId: '',
      cutOffDate: TAPE_FACTS.cutOffDate,
      managerId: 'b'.repeat(24),
      assetPrefix: '',
      mappingVersion: 1,
      paths: [],
      columns: columns.map(({ name }) => name),
      customFields,
      borrowingBase: null,
    },
  ]);
  return { columns, customFields, catalog };
}

const SORTS = [
  'assetId',
  'assetStatus',
  'sums.outstandingSum',
  'interestRate',
  'dateFinanced',
  'address.state',
  'creditScores.origination',
];

/**
 * Typical queries of a grid: zero to two conditions, zero to two sort columns, the first page or one far down. The same
 * list for the same seed.
 */
export function gridQueries(catalog: FieldCatalog, rows: number, count: number, seed: number): GridQuery[] {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const date = (): string => `20${10 + Math.floor(random() * 15)}-0${1 + Math.floor(random() * 9)}-15`;
  const conditions: (() => Record<string, unknown>)[] = [
    () => ({ assetStatus: pick(['current', 'paid', 'pastDue', 'chargedOff']) }),
    () => ({ assetStatus: { in: ['delinquent', 'pastDue'] } }),
    () => ({ 'sums.outstandingSum': { gte: Math.floor(random() * 45_000) } }),
    () => ({ interestRate: { lt: 2 + Math.floor(random() * 25) } }),
    () => ({ dateFinanced: { gte: date() } }),
    () => ({ 'address.state': pick(['CA', 'NY', 'TX']) }),
    () => ({ 'creditScores.origination': { lt: 100 + Math.floor(random() * 700) } }),
    () => ({ assetId: `LN-${String(1 + Math.floor(random() * rows)).padStart(8, '0')}` }),
    () => ({ isDelinquent: true }),
  ];
  const fieldOf = (path: string): Field => {
    const field = catalog.fields.find((each) => each.path === path);
    if (!field) throw new Error(`no field ${path}`);
    return field;
  };
  return Array.from({ length: count }, () => {
    const asked = Object.assign({}, ...Array.from({ length: Math.floor(random() * 3) }, () => pick(conditions)()));
    const sorted = new Set(Array.from({ length: Math.floor(random() * 3) }, () => pick(SORTS)));
    // Far down: up to the point where about a tenth of all rows pass.
    const skip = random() < 0.5 ? 0 : Math.floor((random() * rows) / 10 / PAGE_ROWS) * PAGE_ROWS;
    return {
      asked,
      filter: parseFilter(asked, catalog),
      sort: [...sorted].map((path) => ({ field: fieldOf(path), direction: random() < 0.5 ? 1 : -1 })),
      skip,
      limit: PAGE_ROWS,
    };
  });
}
