import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Columns, Panel } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import { StatusPoolPanel } from '../status-pool-panel.tsx';
import type { MigrationView, TapeHead } from '../tape-head.ts';
import { ComparedWith, MissingRates, NothingEarlier, WithoutBalance } from './compared-with.tsx';
import { StatusMigration } from './status-migration.tsx';

/** How the statuses of the pool changed since an earlier tape, beside those that it has now. */
export function MigrationTab({ head, view }: { head: TapeHead; view: MigrationView }) {
  const { against, matrix, pool } = view;
  return (
    <>
      {against ? (
        <ComparedWith
          tapeId={head.id}
          view={view}
          against={against}
          hasBalances={matrix !== null && matrix.opening !== null}
        />
      ) : null}
      {matrix ? <MissingRates matrix={matrix} /> : null}
      <Columns split="wide">
        {against && matrix && matrix.count > 0 ? (
          <div>
            <StatusMigration cutOffDate={head.cutOffDate} against={against} matrix={matrix} measure={view.measure} />
            {view.measure === 'balance' && matrix.opening !== null ? <WithoutBalance matrix={matrix} /> : null}
          </div>
        ) : (
          <Panel>
            <NoMigration head={head} hasEarlier={against !== null} />
          </Panel>
        )}
        {pool ? <StatusPoolPanel pool={pool} filterTo={(filter) => paths.tape(head.id, { filter })} /> : null}
      </Columns>
    </>
  );
}

function NoMigration({ head, hasEarlier }: { head: TapeHead; hasEarlier: boolean }) {
  if (head.hasUnstableIds || !hasEarlier) {
    return <NothingEarlier head={head} purpose="Status migration tracks each asset from one tape to the next." />;
  }
  return (
    <EmptyState title="The two tapes cannot be compared">
      Both tapes need the fields “Asset id” and “Asset status”. Add rules for the missing fields to the mapping.
    </EmptyState>
  );
}
