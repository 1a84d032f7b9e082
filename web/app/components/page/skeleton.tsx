import { classNames } from '../class-names.ts';

/** A grey placeholder with the size of the expected content, to avoid layout shifts. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames('skeleton block h-4', className)} />;
}

/** A placeholder table, shown while its rows load. */
export function TableSkeleton({ rows = 8, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <div role="status" aria-label="Loading" className="rounded-lg border border-line bg-paper">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are identical
        <div key={row} className="flex h-8 items-center gap-6 border-b border-line px-3 last:border-b-0">
          {Array.from({ length: columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are identical
            <Skeleton key={column} className="h-3 flex-1" />
          ))}
        </div>
      ))}
    </div>
  );
}
