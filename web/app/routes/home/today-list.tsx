import {
  CircleCheck,
  CircleHelp,
  Clock,
  Copy,
  FileX,
  Gauge,
  IdCard,
  type LucideIcon,
  MailWarning,
  PackageCheck,
  Receipt,
  Scale,
  ServerOff,
  ShieldAlert,
  Stamp,
  TriangleAlert,
} from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { Money, Name } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { MoreLink, PanelSection } from '../../components/page/section.tsx';
import { KIND_ICONS } from '../approvals/approval-table.tsx';
import { type TodayItem, todaySummary, type Urgency } from './today.ts';

const ICONS: Readonly<Record<TodayItem['kind'], LucideIcon>> = {
  deficit: Scale,
  covenant: ShieldAlert,
  duplicates: Copy,
  certificate: Stamp,
  deliverable: PackageCheck,
  tape: Clock,
  failed: FileX,
  question: CircleHelp,
  errors: TriangleAlert,
  limit: Gauge,
  worker: ServerOff,
  job: FileX,
  mail: MailWarning,
  ...KIND_ICONS,
  record: IdCard,
  invoice: Receipt,
};

const TONES: Readonly<Record<Urgency, string>> = { late: 'text-danger', decide: 'text-ink-2', watch: 'text-warning' };
const WHEN_TONES = { danger: 'text-danger', warning: 'text-warning' } as const;

function Row({ item }: { item: TodayItem }) {
  const Icon = ICONS[item.kind];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-line px-3 py-[3px] text-sm leading-[17px] last:border-b-0 max-sm:relative max-sm:grid-cols-[1rem_minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:py-2.5 max-sm:hover:bg-hover lg:grid-cols-[8.25rem_minmax(0,2.6fr)_minmax(7rem,1.3fr)_minmax(0,1.6fr)_minmax(0,1.2fr)_8rem]">
      <span
        className={classNames(
          'flex items-center gap-2 max-lg:col-span-2 max-sm:col-span-1 max-sm:self-start',
          TONES[item.urgency],
        )}
      >
        <Icon aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none" />
        <span className="truncate max-sm:sr-only">{item.label}</span>
      </span>
      <span className="min-w-0">
        <span className="block truncate font-[550]" title={item.title}>
          {item.title}
        </span>
        <span className="block truncate text-xs text-ink-2" title={item.note ?? undefined}>
          {item.when ? (
            <span className={classNames('sm:hidden', item.whenTone && WHEN_TONES[item.whenTone])}>
              {item.when}
              {item.note ? ', ' : null}
            </span>
          ) : null}
          {item.note}
        </span>
      </span>
      <span className="figures text-right whitespace-nowrap max-sm:[&_small]:block">
        {item.amounts.map((amount) => (
          <span key={amount.currency} className="block font-medium">
            <Money value={amount} withCurrency zero="figure" />
          </span>
        ))}
      </span>
      <span className="min-w-0 max-lg:hidden">
        {item.who ? (
          <span className="block truncate">
            <Name length={32}>{item.who}</Name>
          </span>
        ) : null}
        {item.whoNote ? <span className="block truncate text-xs text-ink-2">{item.whoNote}</span> : null}
      </span>
      <span className="min-w-0 max-sm:hidden">
        {item.when ? (
          <span className={classNames('block truncate font-medium', item.whenTone && WHEN_TONES[item.whenTone])}>
            {item.when}
          </span>
        ) : null}
        {item.whenNote ? <span className="block truncate text-xs text-ink-2">{item.whenNote}</span> : null}
      </span>
      {/* On a phone the whole row is the link. */}
      <LinkButton
        to={item.action.to}
        prefetch="intent"
        className="h-7 justify-self-end max-sm:absolute max-sm:inset-0 max-sm:h-auto max-sm:border-transparent max-sm:bg-transparent"
      >
        <span className="max-sm:sr-only">{item.action.label}</span>
        <span className="sr-only">: {item.title}</span>
      </LinkButton>
    </li>
  );
}

/**
 * What to do today, the most urgent first.
 * @param counts of all items, of which some are shown
 * @param more where the rest is
 */
export function TodayList({
  items,
  counts,
  todo,
  more,
  nothing = 'Nothing needs your attention',
}: {
  items: readonly TodayItem[];
  counts: Readonly<Record<Urgency, number>>;
  /** What the person does with what is neither late nor only to watch: "to decide". */
  todo: string;
  more: { label: string; to: string } | null;
  /** What it says without items. */
  nothing?: string;
}) {
  return (
    <PanelSection
      title="Today"
      note={todaySummary(counts, todo)}
      more={more ? <MoreLink to={more.to}>{more.label}</MoreLink> : null}
    >
      {items.length === 0 ? (
        <p className="flex items-center gap-2 px-3.5 py-3 text-sm text-ink-2">
          <CircleCheck aria-hidden="true" size={16} strokeWidth={1.75} className="text-good" />
          {nothing}
        </p>
      ) : (
        <ul>
          {items.map((item) => (
            <Row key={item.key} item={item} />
          ))}
        </ul>
      )}
    </PanelSection>
  );
}
