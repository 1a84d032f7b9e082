import { Link } from '@remix-run/react';
import type { DeliveredFile } from '@tapeline/db/entities/bank-statements.ts';
import { DELIVERY_OUTCOME_LABELS } from '@tapeline/domain/cash/statement-delivery.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Truck } from 'lucide-react';
import { formatCount } from '../../../components/figures/format.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';

/** A delivered file, as the table shows it. */
export const deliveredRow = (file: DeliveredFile) => ({
  ...pick(file, 'id', 'name', 'outcome', 'statements', 'added'),
  takenAt: file.metadata.iat,
  reason: file.reason ?? null,
  fileId: file.fileId ?? null,
});

type Row = ReturnType<typeof deliveredRow>;

const resultOf = ({ reason, statements, added }: Row): string =>
  reason ??
  (statements === 0
    ? 'Imported before: nothing was added'
    : `${formatCount(statements, 'statement')}, ${formatCount(added, 'payment')}`);

/** Files that banks delivered, with what came of each. */
export const DeliveredTable = ({ rows }: { rows: readonly Row[] }) => (
  <DataTable
    narrow="list"
    caption="Delivered files"
    rows={rows}
    empty={
      <EmptyState icon={Truck} title="No delivered files yet">
        Files that your bank puts in the object storage are imported by themselves. Import statements names the place.
      </EmptyState>
    }
    columns={[
      { head: 'File', name: ({ name }) => name, length: 60 },
      { head: 'Taken (UTC)', date: ({ takenAt }) => takenAt, time: 'bare' },
      {
        head: 'Outcome',
        cell: ({ outcome }) => (
          <Chip tone={outcome === 'Imported' ? 'good' : 'warning'}>{DELIVERY_OUTCOME_LABELS[outcome]}</Chip>
        ),
      },
      { head: 'What came of it', wraps: true, cell: resultOf },
      {
        head: 'Content',
        cell: ({ name, statements, fileId }) =>
          fileId === null ? (
            'Where it was delivered'
          ) : statements > 0 ? (
            <Link to={paths.bankStatements({ file: fileId })} className="text-accent hover:underline">
              Statements
            </Link>
          ) : (
            <Link to={paths.document(fileId)} className="text-accent hover:underline" aria-label={`Open ${name}`}>
              Open
            </Link>
          ),
      },
    ]}
  />
);
