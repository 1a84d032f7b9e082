import type { ReactNode } from 'react';
import { LinkButton } from '../forms/button.tsx';
import { SectionTabs } from '../shell/section-tabs.tsx';

/**
 * The header of every page: title, status chip, a line of facts below it, actions on the right (one of them primary), and
 * the tabs of the navigation's item that it belongs to.
 * @example
 * <PageHeader
 *   title="northwind-2026-10.xlsx"
 *   chip={<StatusChip dot status="Completed" />}
 *   facts={['Northwind', <>cut-off <b>31 Oct 2026</b></>]}
 *   actions={...}
 * />
 */
export function PageHeader({
  title,
  chip,
  facts = [],
  actions,
  primary = null,
  isPart = false,
}: {
  title: ReactNode;
  chip?: ReactNode;
  /** Short facts, joined by middle dots. Wrap the important part in <b>. */
  facts?: readonly ReactNode[];
  actions?: ReactNode;
  /** The link to what people mostly do here, after the other actions. Null for those who may not. */
  primary?: { readonly label: string; readonly to: string } | null;
  /** Whether the page shows a part of its list, such as the documents of one fund. It then has no tabs of the navigation. */
  isPart?: boolean;
}) {
  return (
    <>
      {/* On a phone, the facts are between the title and the actions, and a menu alone is beside the title. The order for screen readers does not change. */}
      <div className="mb-[18px] max-sm:relative max-sm:has-[.page-actions>details:only-child]:pr-12 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2.5 max-sm:gap-y-2">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-3 max-sm:contents">
          <h1 className="min-w-0 text-xl leading-7 font-[620] tracking-[-0.015em] break-words">{title}</h1>
          {chip}
          {actions || primary ? (
            <div className="page-actions ml-auto flex flex-wrap gap-2 max-sm:order-last max-sm:ml-0 max-sm:w-full max-sm:has-[>details:only-child]:absolute max-sm:has-[>details:only-child]:top-0 max-sm:has-[>details:only-child]:right-0 max-sm:has-[>details:only-child]:w-auto">
              {actions}
              {primary ? (
                <LinkButton to={primary.to} tone="primary">
                  {primary.label}
                </LinkButton>
              ) : null}
            </div>
          ) : null}
        </div>
        {facts.length > 0 ? (
          <p className="mt-1 text-sm text-ink-2 max-sm:mt-0 max-sm:w-full max-sm:[&_a]:underline [&_b]:font-medium [&_b]:text-ink">
            {facts.map((fact, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: facts have no id, and their order never changes
              <span key={index}>
                {index > 0 ? <span aria-hidden="true"> · </span> : null}
                {fact}
              </span>
            ))}
          </p>
        ) : null}
      </div>
      {isPart ? null : <SectionTabs />}
    </>
  );
}
