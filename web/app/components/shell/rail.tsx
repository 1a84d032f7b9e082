import { Form, Link, useLocation } from '@remix-run/react';
import { ArrowLeft, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { paths } from '../../paths.ts';
import { BrandMark } from '../brand.tsx';
import { classNames } from '../class-names.ts';
import { formatFigure } from '../figures/format.ts';
import { CsrfField } from '../forms/csrf-field.tsx';
import { PostForm } from '../forms/post-form.tsx';
import { MeMenu } from './me-menu.tsx';
import { findScreen, railOf, type UsableItem } from './navigation.ts';
import type { ShellData } from './shell-data.ts';

const LINE = 'flex h-[30px] w-full flex-none items-center gap-[9px] rounded-md px-2 text-sm';

function RailLink({
  item: { label, to, icon: Icon },
  current,
  count,
}: {
  item: UsableItem;
  current: boolean;
  count: number;
}) {
  return (
    <Link
      to={to}
      prefetch="intent"
      title={label}
      aria-current={current ? 'page' : undefined}
      className={classNames(
        LINE,
        current ? 'bg-selected font-[550] text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      <Icon
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className={classNames('flex-none', current ? 'text-accent' : 'text-ink-3')}
      />
      <span className="rail-word truncate">{label}</span>
      {count > 0 ? (
        <span className="rail-word ml-auto rounded-full bg-accent px-1.5 text-2xs font-semibold text-accent-ink">
          {formatFigure(count)}
        </span>
      ) : null}
    </Link>
  );
}

/** Whether an administrator acts for a manager, whose navigation is then shown. */
const isActing = ({ person, account }: ShellData): boolean => person.type === 'admin' && account === 'manager';

/** Ends acting for a manager. */
export function BackToAdministration({ shell, className = LINE }: { shell: ShellData; className?: string }) {
  if (!isActing(shell)) return null;
  return (
    <PostForm action={paths.actingFor()} tracksInput={false}>
      <CsrfField />
      <input type="hidden" name="intent" value="chooseAll" />
      <button
        type="submit"
        title="Back to administration"
        className={classNames(className, 'text-left text-ink-2 hover:bg-hover hover:text-ink')}
      >
        <ArrowLeft aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none text-ink-3" />
        <span className="rail-word truncate">Back to administration</span>
      </button>
    </PostForm>
  );
}

function FoldButton({ isFolded, next }: { isFolded: boolean; next: string }) {
  const Icon = isFolded ? PanelLeftOpen : PanelLeftClose;
  return (
    <Form method="post" action={paths.preferences()} navigate={false} className="max-lg:hidden">
      <CsrfField />
      <input type="hidden" name="rail" value={isFolded ? 'open' : 'folded'} />
      <input type="hidden" name="next" value={next} />
      <button
        type="submit"
        aria-label={isFolded ? 'Expand navigation' : 'Collapse navigation'}
        className="grid size-[30px] place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
      >
        <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
      </button>
    </Form>
  );
}

/** The left rail: 216 px wide, 56 px when folded. Under 640 px it is hidden and the bottom bar replaces it. */
export function Rail({ shell }: { shell: ShellData }) {
  const { pathname } = useLocation();
  const groups = railOf(shell);
  const current = findScreen(pathname, shell)?.item.label;
  const first = groups.findIndex(({ isLast }) => isLast);
  return (
    <aside
      aria-label="Navigation"
      className="rail sticky top-0 flex h-screen w-(--rail-width) flex-col border-r border-line bg-rail px-2.5 pt-3.5 pb-3 max-sm:hidden"
    >
      <div
        className={classNames(
          'flex justify-between gap-1 pb-2.5',
          shell.isRailFolded ? 'flex-col items-center' : 'items-center',
        )}
      >
        <Link
          to={paths.home()}
          className="flex items-center gap-[9px] rounded-md px-[7px] py-0.5 text-[15px] font-[650] tracking-[-0.01em]"
        >
          <BrandMark />
          <span className="rail-word">Tapeline</span>
          <span className="sr-only">, go to Home</span>
        </Link>
        <FoldButton isFolded={shell.isRailFolded} next={pathname} />
      </div>
      <nav
        aria-label="Main"
        className="scroll-edges -mx-1 flex min-h-0 flex-1 flex-col gap-0.5 overflow-x-hidden overflow-y-auto px-1"
      >
        {groups.map(({ label, items, isLast }, index) => (
          <div
            key={items[0]?.to}
            className={classNames(
              'flex flex-none flex-col gap-0.5',
              isLast && index === first ? 'mt-auto pt-3' : index > 0 && label === null && 'pt-3',
            )}
          >
            {label ? <p className="rail-word px-2 pt-3 pb-1 text-2xs font-medium text-ink-3">{label}</p> : null}
            {items.map((item) => (
              <RailLink
                key={item.to}
                item={item}
                current={item.label === current}
                count={item.to === paths.approvals() ? shell.approvals : 0}
              />
            ))}
            {isLast ? <BackToAdministration shell={shell} /> : null}
          </div>
        ))}
      </nav>
      <div className="mt-2 border-t border-line pt-2">
        <MeMenu shell={shell} id="me-rail" placement="me-popover" />
      </div>
    </aside>
  );
}
