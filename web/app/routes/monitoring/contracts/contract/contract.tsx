import { useLoaderData } from '@remix-run/react';
import { HistorySection } from '../../../../components/history/action-list.tsx';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Columns } from '../../../../components/page/section.tsx';
import { Tabs } from '../../../../components/page/tabs.tsx';
import { LARGE_FORM_BYTES } from '../../../../http/csrf.server.ts';
import { act, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { viewContract } from '../contract-view.server.ts';
import { PARTS, SECTIONS } from '../sections.ts';
import { Changes } from './changes.tsx';
import { ContractHeader } from './contract-header.tsx';
import { EffectNotice } from './effect-notice.tsx';
import { intents } from './intents.server.ts';
import { ItemList } from './item-list.tsx';
import { DetailsForm } from './setting-forms.tsx';
import { useTrial } from './use-trial.ts';

const ON_TAPE = loadedPart(() => import('./on-tape.tsx').then((part) => part.OnTape));
const DIFFERENCES = loadedPart(() => import('./differences.tsx').then((part) => part.Differences));

export const handle = named<typeof loader>(
  ({ contract: { transaction, noteTitle, revision } }) => [
    [transaction.title, paths.transaction(transaction.id)],
    noteTitle,
    `Contract v${revision}`,
  ],
  ({ contract: { transaction, revision } }) => `Contract v${revision}, ${transaction.title}`,
);

export const loader = readScreen('transactions/read', async (screen) => ({ contract: await viewContract(screen) }));

export const action = act(intents, { maxBytes: LARGE_FORM_BYTES });

export default function ContractScreen() {
  const { contract } = useLoaderData<typeof loader>();
  const trial = useTrial(contract);
  const tape = contract.isLatestTape ? undefined : (contract.tapeId ?? undefined);
  return (
    <>
      <ContractHeader contract={contract} />
      <EffectNotice warnings={contract.warnings} lead="Some parts of this contract have no effect" />
      {contract.editsDetails ? <DetailsForm contract={contract} /> : null}
      {contract.changes ? <Changes contract={contract} changes={contract.changes} /> : null}
      <Tabs
        label="Contract sections"
        tabs={SECTIONS.map((section) => ({
          label: PARTS[section].title,
          to: paths.contract(contract.id, { tab: section, tape }),
          count: contract.counts[section],
          current: section === contract.section,
        }))}
      />
      <Columns split="wide">
        <ItemList contract={contract} trial={trial.answer?.trial ?? null} />
        <ShownPart of={ON_TAPE} contract={contract} state={trial} />
      </Columns>
      {trial.answer?.trial ? <ShownPart of={DIFFERENCES} trial={trial.answer.trial} contract={contract} /> : null}
      {contract.history ? (
        <HistorySection history={contract.history} all={{ resource: 'contracts', id: contract.id }} />
      ) : null}
    </>
  );
}
