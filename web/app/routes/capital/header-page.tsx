import { Link, useSearchParams } from '@remix-run/react';
import type { IssueState } from '@tapeline/db/operations/capital/issue-approval.ts';
import type { Nettable, Netting } from '@tapeline/db/operations/capital/netting.ts';
import type { Deliveries as Listed } from '@tapeline/db/operations/outbox/deliveries.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { Download } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { DateText } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { HistorySection } from '../../components/history/action-list.tsx';
import { LinkMenu, type MenuLink } from '../../components/overlays/menu.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { loadedPart, ShownPart } from '../../components/page/loaded-part.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import { FundLink } from './fund-link.tsx';
import { HeaderButtons, HeaderQuestion } from './header-status.tsx';
import { NettingSection, otherOf } from './netting.tsx';
import { NoticeProgress } from './notice-progress.tsx';
import { SecondPersonNotice } from './second-person.tsx';
import type { IssueReview } from './told.server.ts';
import { Deliveries } from './who-is-told.tsx';

// Its fields are loaded where there is something to net with.
const NET_FORM = loadedPart(() => import('./net-form.tsx').then((part) => part.NetForm));

/** Lines on one page. */
export const LINES_PER_PAGE = 200;
/** The page of the history in the address. */
export const HISTORY_PARAMETER = 'changes';

interface Shown {
  readonly id: string;
  readonly callNumber: string;
  readonly version: number;
  readonly status: string;
  readonly drafts: number;
  readonly issued: number;
  readonly investors: number;
  readonly notices: number;
  readonly due: number;
  readonly problems: number;
  readonly fundId: string;
  readonly fundTitle: string | null;
  readonly className: string | null;
  readonly closing: { readonly id: string; readonly title: string } | null;
  readonly cutOffDate: string;
  readonly currency: string;
  readonly shares: readonly { readonly id: string }[];
  readonly deliveries: Listed;
  readonly warnings: readonly string[];
  readonly secondPerson: IssueState | null;
  /** Whether that is the state of what it is netted with. */
  readonly isOfOther: boolean;
  readonly description: string | null;
  readonly history: ComponentProps<typeof HistorySection>['history'] | null;
  readonly isInvestor: boolean;
  readonly mayWrite: boolean;
  readonly review: IssueReview | null;
  readonly netting: Netting | null;
  readonly nettable: readonly Nettable[];
}

const KINDS = {
  contributions: {
    noun: 'call',
    title: 'Capital call',
    at: paths.capitalCall,
    edit: paths.editCapitalCall,
    approval: 'call',
  },
  distributions: {
    noun: 'distribution',
    title: 'Distribution',
    at: paths.distribution,
    edit: paths.editDistribution,
    approval: 'distribution',
  },
} as const;

const filesOf = ({ id, isInvestor, notices }: Pick<Shown, 'id' | 'isInvestor' | 'notices'>): MenuLink[] => [
  ...(isInvestor
    ? []
    : [
        { to: paths.sharesFile(id, 'xlsx'), label: 'Shares, Excel', hint: 'with formulas' },
        { to: paths.sharesFile(id, 'csv'), label: 'Shares, CSV' },
        { to: paths.listOfAll(id), label: 'List of all investors, PDF' },
      ]),
  ...(notices > 0 ? [{ to: paths.noticeArchive(id), label: 'Notices, zip' }] : []),
];

/**
 * The page of a call or distribution.
 * @param facts what its heading says between the class and the cut-off date
 * @param lead what comes first, before warnings and key figures
 * @param figures the key figures before the number of investors
 * @param children what stands between the key figures and the text of the notice
 */
export function HeaderPage({
  page,
  table,
  facts = [],
  lead,
  figures,
  children,
}: {
  page: Shown;
  table: keyof typeof KINDS;
  facts?: readonly ReactNode[];
  lead?: ReactNode;
  figures: ComponentProps<typeof KeyFigures>['figures'];
  children: ReactNode;
}) {
  const [search] = useSearchParams();
  const { id, callNumber, currency, shares, isInvestor, mayWrite, version, drafts, issued } = page;
  const { noun, title, at, edit, approval } = KINDS[table];
  // An investor gets its notice with its share.
  const shownFigures = isInvestor
    ? figures
    : [
        ...figures,
        { label: 'Investors', value: formatFigure(page.investors) },
        {
          label: 'Notices ready',
          value: formatFigure(page.notices),
          note: `of ${formatCount(page.investors, 'notice')}`,
        },
      ];
  const { secondPerson } = page;
  const mustSubmit = secondPerson?.isNeeded === true && secondPerson.isOwn;
  const { netting } = page;
  const netted = netting && otherOf(netting, table);
  const stepped = { noun, label: `${noun} ${callNumber}`, version, drafts, issued, investors: page.investors, netted };
  return (
    <>
      <PageHeader
        title={`${title} ${callNumber}`}
        chip={<StatusChip dot status={page.status} />}
        facts={[
          <FundLink key="fund" id={page.fundId} title={page.fundTitle} />,
          ...(page.className ? [classTitle(page.className)] : []),
          ...facts,
          ...(page.closing
            ? [
                <Link
                  key="closing"
                  to={paths.closing(page.fundId, page.closing.id)}
                  className="font-medium text-ink hover:text-accent"
                >
                  {page.closing.title}
                </Link>,
              ]
            : []),
          <>
            cut-off{' '}
            <b>
              <DateText value={page.cutOffDate} />
            </b>
          </>,
          `figures in ${currency}`,
        ]}
        actions={
          <>
            {filesOf(page).length > 0 ? <LinkMenu label="Export" icon={Download} links={filesOf(page)} /> : null}
            {mayWrite ? (
              <HeaderButtons
                header={stepped}
                removeTo={at(id, { ask: 'remove' })}
                issueTo={at(id, { ask: 'issue' })}
                secondPerson={secondPerson}
                editTo={edit(id)}
              />
            ) : null}
          </>
        }
      />
      {mayWrite ? (
        <HeaderQuestion
          header={stepped}
          ask={mustSubmit && search.get('ask') === 'issue' ? null : search.get('ask')}
          review={page.review}
          deliveries={page.deliveries}
          backTo={at(id)}
        />
      ) : null}
      <SecondPersonNotice
        state={secondPerson}
        what={netted && page.isOfOther ? netted.name : `this ${noun}`}
        approveAt={paths.approval(approval, id)}
      />
      {lead}
      {page.warnings.map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      <NoticeProgress notices={page.notices} due={page.due} problems={page.problems} mayWrite={mayWrite} />
      {shownFigures.length > 0 ? <KeyFigures figures={shownFigures} /> : null}
      {netting ? (
        <NettingSection netting={netting} table={table} version={version} isInvestor={isInvestor} mayWrite={mayWrite} />
      ) : page.nettable.length > 0 ? (
        <ShownPart of={NET_FORM} nettable={page.nettable} table={table} version={version} />
      ) : null}
      {children}
      {page.description ? (
        <PanelSection title="Text at the end of the notice" padded>
          <p className="text-sm whitespace-pre-line">{page.description}</p>
        </PanelSection>
      ) : null}
      {mayWrite && drafts < page.investors ? (
        <Deliveries deliveries={page.deliveries} maySendAgain mayTellRest />
      ) : null}
      {page.history && shares[0] ? (
        <HistorySection history={page.history} page={HISTORY_PARAMETER} all={{ resource: table, id: shares[0].id }} />
      ) : null}
    </>
  );
}
