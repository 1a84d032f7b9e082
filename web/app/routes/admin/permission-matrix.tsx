import { Fragment, type ReactNode } from 'react';
import { classNames } from '../../components/class-names.ts';
import type { AreaGroup } from './areas.ts';

/** A column of the matrix. */
export interface MatrixColumn<Permission extends { key: string }> {
  head: ReactNode;
  /** Read and write of the area, in one cell or two. */
  cell: (area: { label: string; read: Permission | null; write: Permission | null }) => ReactNode;
  className?: string;
}

/** A table of the areas of the product in groups, with columns for what someone can do in each. */
export function PermissionMatrix<Permission extends { key: string }>({
  caption,
  groups,
  columns,
}: {
  caption: string;
  groups: readonly AreaGroup<Permission>[];
  columns: readonly MatrixColumn<Permission>[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="relative overflow-x-auto" aria-label={`${caption}, scrolls horizontally`} tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="h-8 px-3 text-left text-xs font-medium text-ink-3">
              Area
            </th>
            {columns.map((column, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                key={index}
                scope="col"
                className={classNames(
                  'h-8 px-3 text-left text-xs font-medium whitespace-nowrap text-ink-3',
                  column.className,
                )}
              >
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ group, areas }) => (
          <Fragment key={group}>
            <tbody>
              <tr className="border-b border-line bg-canvas">
                <th
                  scope="colgroup"
                  colSpan={columns.length + 1}
                  className="h-8 px-3 text-left text-xs font-medium text-ink-2"
                >
                  {group}
                </th>
              </tr>
              {areas.map((area) => (
                <tr key={area.resource} className="border-b border-line last:border-b-0 hover:bg-hover">
                  <th scope="row" className="h-8 px-3 py-1 text-left font-normal">
                    {area.label}{' '}
                    <span className="ml-1 font-mono text-xs text-ink-3 max-md:hidden">{area.resource}</span>
                  </th>
                  {columns.map((column, index) => (
                    <td
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                      key={index}
                      className={classNames('h-8 px-3 py-1 whitespace-nowrap [&>*]:align-middle', column.className)}
                    >
                      {column.cell(area)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Fragment>
        ))}
      </table>
    </section>
  );
}

/** What a role can do in an area: "Read, write". */
export function AreaRights({ read, write }: { read: boolean; write: boolean }) {
  if (!read && !write)
    return (
      <span className="text-ink-3">
        <span aria-hidden="true">–</span>
        <span className="sr-only">nothing</span>
      </span>
    );
  if (read && write) return <span className="font-medium text-accent">Read, write</span>;
  return read ? <span>Read</span> : <span className="text-warning">Write only</span>;
}
