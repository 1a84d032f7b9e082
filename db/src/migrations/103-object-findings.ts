import { Migration } from '@mikro-orm/migrations';
import { EVERYTHING, oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';

const findings = table({
  name: 'object_findings',
  history: { exempt: 'It is a record of the system; no tenant has rows in it.' },
  columns: {
    key: 'text primary key check (char_length({column}) between 1 and 1024)',
    finding: oneOf(['missing', 'size', 'content', 'orphan']),
    found_at: 'timestamptz not null',
    checked_at: 'timestamptz not null check (checked_at >= found_at)',
  },
  indexes: ['(finding, key)'],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

const comparison = table({
  name: 'object_comparison',
  history: { exempt: 'It is a record of the system; no tenant has rows in it.' },
  columns: {
    only_one: 'boolean primary key default true check (only_one)',
    place: 'text not null check (char_length({column}) <= 100)',
    began_at: 'timestamptz not null',
  },
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

/** What comparing the database with the object storage found, and how far it has come. */
export class ObjectFindings extends Migration {
  override up(): void {
    this.addSql([findings, comparison].join('\n'));
  }
}
