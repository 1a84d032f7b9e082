import { redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { withdrawAdjustment } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import { kindsDecidedBy } from '@tapeline/domain/approvals/approval-permissions.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Download } from 'lucide-react';
import { z } from 'zod';
import { type CertificateProof, proofOfCertificate } from '../../../../commands/certificate-proof.server.ts';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { HistorySection } from '../../../../components/history/action-list.tsx';
import { LinkMenu } from '../../../../components/overlays/menu.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Columns, MoreLink, Section } from '../../../../components/page/section.tsx';
import { ViewTabs } from '../../../../components/page/tabs.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import {
  type AuditTab,
  type BorrowingBasePage,
  type CertificateTab,
  readCertificatePage,
} from '../borrowing-base-page.server.ts';
import { Adjustments } from './adjustments.tsx';
import type { AssetsTo } from './assets-to.ts';
import { AdvanceRates, Offsets, Reserves, Scopes, Values, WholeGroups } from './breakdown.tsx';
import { CertificateFigures } from './certificate-figures.tsx';
import { ExcessByGroup } from './excess-by-group.tsx';
import { Deficiency, PositionByCurrency } from './facility.tsx';
import { LimitsTable } from './limits-table.tsx';
import { PoolToAvailability } from './pool-to-availability.tsx';
import { RulesTable } from './rules-table.tsx';
import { Recalculations, SinceBefore } from './since-before.tsx';
import { Trend } from './trend.tsx';

export const handle = named<typeof loader>(
  ({ base: { transaction, noteId, noteTitle, cutOffDate } }) => [
    ...(transaction ? [{ label: transaction.title, to: paths.transaction(transaction.id) }] : []),
    transaction ? [noteTitle, paths.transaction(transaction.id, { note: noteId })] : noteTitle,
    `Borrowing base, ${formatCalendarDate(cutOffDate)}`,
  ],
  ({ base: { transaction, noteTitle, cutOffDate } }) =>
    `Borrowing base ${formatCalendarDate(cutOffDate)}, ${[transaction?.title, noteTitle].filter(Boolean).join(', ')}`,
);

export const action = act({
  withdrawAdjustment: intent({
    permission: 'transactions/write',
    schema: z.object({ adjustment: idSchema }),
    async run({ adjustment }, { db, params: { id = '' } }) {
      await db((session) => withdrawAdjustment(session, { id: adjustment, baseId: id }));
      return redirect(`${paths.borrowingBase(id)}#adjustments`);
    },
  }),
});

export const loader = readScreen('borrowingBase/read', async ({ context, db, params: { id = '' }, actor, url }) => {
  // The address of a comparison before there were tabs.
  if (url.searchParams.has('against') && !url.searchParams.has('view')) {
    throw redirect(paths.borrowingBase(id, { view: 'audit', against: url.searchParams.get('against') ?? '' }));
  }
  const page = await db((session) => readCertificatePage(session, id, url));
  return {
    ...page,
    proof: page.tab.view === 'audit' ? await proofOfCertificate(context, { actor, asCaller: db }, page.base) : null,
    canRead: {
      transaction: can(actor, 'transactions/read'),
      assets: can(actor, 'assets/read'),
    },
    mayAskWhatIf: can(actor, 'transactions/read') && actor.type !== 'company',
    adjusts: kindsDecidedBy(actor).includes('adjustment'),
  };
});

const CERTIFICATE_TABS = [
  { view: 'certificate', label: 'Certificate' },
  { view: 'trend', label: 'Trend' },
  { view: 'audit', label: 'Audit' },
] as const;

function facts({ transaction, noteTitle, contract, tape, calculatedAt }: BorrowingBasePage) {
  return [
    transaction ? (
      <>
        <Name>{transaction.title}</Name>, <b>{noteTitle}</b>
      </>
    ) : (
      <b key="note">{noteTitle}</b>
    ),
    contract ? (
      <>
        contract{' '}
        <b>
          v{contract.revision}, from <DateText value={contract.since} />
        </b>
      </>
    ) : null,
    tape ? (
      <>
        tape{' '}
        <b>
          <Name>{tape.name}</Name>
        </b>
      </>
    ) : null,
    <>
      calculated <DateText value={calculatedAt} time />
    </>,
  ].filter((fact) => fact !== null);
}

export default function BorrowingBaseScreen() {
  const { base, tab, canRead, adjusts, mayAskWhatIf, proof } = useLoaderData<typeof loader>();
  const { result, tape } = base;
  // Every link to the assets names this borrowing base, because the tape may have others.
  const assetsTo: AssetsTo | null =
    tape?.hasAssets && canRead.assets
      ? (filter) => paths.tape(tape.id, { filter: JSON.stringify(filter), borrowingBase: base.id })
      : null;
  return (
    <>
      <PageHeader
        title={`Borrowing base, ${formatCalendarDate(base.cutOffDate)}`}
        chip={
          base.version.superseded ? (
            <Chip tone="warning" dot>
              Superseded
            </Chip>
          ) : (
            <Chip tone="good" dot>
              Completed
            </Chip>
          )
        }
        facts={facts(base)}
        actions={
          <>
            <LinkMenu
              label="Export"
              icon={Download}
              links={[
                { to: paths.borrowingBaseFile(base.id, 'pdf'), label: 'Certificate PDF', hint: 'with signature block' },
                { to: paths.borrowingBaseFile(base.id, 'xlsx'), label: 'Excel', hint: 'all figures on this page' },
                { to: paths.borrowingBaseFile(base.id, 'csv'), label: 'CSV', hint: 'the same lines' },
              ]}
            />
            {base.before && base.transaction ? (
              <LinkButton to={paths.baseComparison(base.id, { against: base.before.id })}>
                Why did it change?
              </LinkButton>
            ) : null}
            {mayAskWhatIf && !base.version.superseded && tape?.hasAssets ? (
              <LinkButton to={paths.whatIf(base.id)}>What if</LinkButton>
            ) : null}
            <LinkButton to={paths.certification(base.id)}>Borrower’s certificate</LinkButton>
            {adjusts && !base.version.superseded ? (
              <LinkButton to={paths.newAdjustment(base.id)}>Enter adjustment</LinkButton>
            ) : null}
            {base.contract && canRead.transaction ? (
              <LinkButton to={paths.contract(base.contract.id)}>Contract</LinkButton>
            ) : null}
            {tape && canRead.assets ? (
              <LinkButton to={paths.tape(tape.id, tape.hasAssets ? { borrowingBase: base.id } : {})}>Tape</LinkButton>
            ) : null}
          </>
        }
      />
      {base.version.superseded ? (
        <Notice
          tone="warning"
          action={<Link to={paths.borrowingBase(base.version.latest ?? base.id)}>Open the latest</Link>}
        >
          Superseded <DateText value={base.version.superseded.timestamp} time />: the borrowing base was calculated
          again or adjusted.
        </Notice>
      ) : null}
      {tape?.isRepublished ? (
        <Notice
          tone="warning"
          action={
            canRead.assets ? <Link to={paths.tape(tape.id, { view: 'bases' })}>Current borrowing bases</Link> : null
          }
        >
          The tape was republished after this calculation
          {tape.publishedAt ? (
            <>
              , last <DateText value={tape.publishedAt} time />
            </>
          ) : null}
          . The figures {tape.hasAssets ? 'and assets ' : ''}here are the earlier ones. Recalculate on the tape’s page
          to use the current assets.
        </Notice>
      ) : null}
      {tape && !tape.hasAssets ? (
        <Notice tone="warning">
          The results of this calculation by asset are no longer stored. The figures are kept, but their assets cannot
          be opened.
        </Notice>
      ) : null}
      {tape ? null : (
        <Notice tone="warning">The tape was removed. The figures are kept, but their assets cannot be opened.</Notice>
      )}
      {result.warnings.map((warning) => (
        <Notice key={warning.code + warning.message} tone="warning">
          {warning.message}
        </Notice>
      ))}
      <Deficiency result={result} />
      <CertificateFigures base={base} />
      <ViewTabs
        label="Parts of the borrowing base"
        tabs={CERTIFICATE_TABS}
        current={tab.view}
        to={(view) => paths.borrowingBase(base.id, { view })}
      />
      {tab.view === 'certificate' ? <Certificate base={base} tab={tab} assetsTo={assetsTo} adjusts={adjusts} /> : null}
      {tab.view === 'trend' ? (
        <>
          <SinceBefore base={base} since={tab.since} />
          <Trend points={base.trend} shownId={base.id} />
        </>
      ) : null}
      {tab.view === 'audit' ? <Audit base={base} tab={tab} proof={proof} /> : null}
    </>
  );
}

/** What the tape and the contract make of the pool, from the relevant assets to what can be drawn. */
function Certificate({
  base,
  tab,
  assetsTo,
  adjusts,
}: {
  base: BorrowingBasePage;
  tab: CertificateTab;
  assetsTo: AssetsTo | null;
  adjusts: boolean;
}) {
  const { result } = base;
  return (
    <>
      <PoolToAvailability result={result} assetsTo={assetsTo} />
      <Columns split="wide">
        <div className="min-w-0">
          <RulesTable result={result} assetsTo={assetsTo} />
          <LimitsTable result={result} labels={base.ruleLabels} />
        </div>
        <div className="min-w-0">
          <ExcessByGroup result={result} labels={base.ruleLabels} assetsTo={assetsTo} />
        </div>
      </Columns>
      <WholeGroups result={result} labels={base.ruleLabels} />
      <Offsets result={result} labels={base.ruleLabels} />
      <Scopes result={result} />
      <Reserves result={result} />
      <div id="adjustments">
        <Adjustments currency={base.result.currency} adjustments={tab.adjustments} adjusts={adjusts} />
      </div>
      <Columns split="wide">
        <AdvanceRates result={result} />
        <Values result={result} units={base.valueUnits} />
      </Columns>
    </>
  );
}

/** How the result came about: its inputs, earlier results of the tape, and what was changed by whom. */
function Audit({ base, tab, proof }: { base: BorrowingBasePage; tab: AuditTab; proof: CertificateProof | null }) {
  const { tape, result } = base;
  const { inputsHash } = result;
  return (
    <>
      <PositionByCurrency result={base.result} />
      {tape && proof ? (
        <Section title="Proof with payments" note="what the payments of the tape explain since the tape before">
          {proof.currencies.map((text) => (
            <p key={text} className="text-sm">
              {text}
            </p>
          ))}
          <MoreLink to={paths.tapeForward(tape.id, { file: proof.file })}>Loans that are not proved</MoreLink>
        </Section>
      ) : null}
      <Recalculations base={base} tab={tab} />
      {inputsHash ? (
        <p className="mb-6 text-xs text-ink-3">
          Hash of inputs (SHA-256): <code className="font-mono break-all">{inputsHash}</code>. It covers the published
          tape, the contract’s terms, the exchange rates, and the note’s balance and commitments.
        </p>
      ) : null}
      {tab.history ? <HistorySection history={tab.history} all={{ resource: 'borrowingBases', id: base.id }} /> : null}
    </>
  );
}
