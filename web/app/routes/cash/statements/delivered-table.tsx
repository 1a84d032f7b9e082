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
    ? 'Already imported: nothing was added'
    : `${formatCount(statements, 'statement')}, ${formatCount(added, 'payment')}`);

/** Files that banks delivered, with the result of each. */
export const DeliveredTable = ({ rows }: { rows: readonly Row[] }) => (
  <DataTable
    narrow="list"
    caption="Delivered files"
    rows={rows}
    empty={
      <EmptyState icon={Truck} title="No delivered files yet">
        Files that your bank uploads to object storage are imported automatically. See Import statements for the
        location.
      </EmptyState>
    }
    columns={[
      { head: 'File', name: ({ name }) => name, length: 60 },
      { head: 'Processed (UTC)', date: ({ takenAt }) => takenAt, time: 'bare' },
      {
        head: 'Outcome',
        cell: ({ outcome }) => (
          <Chip tone={outcome === 'Imported' ? 'good' : 'warning'}>{DELIVERY_OUTCOME_LABELS[outcome]}</Chip>
        ),
      },
      { head: 'Result', wraps: true, cell: resultOf },
      {
        head: 'Content',
        cell: ({ name, statements, fileId }) =>
          fileId === null ? (
            'Left in the delivery folder'
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
