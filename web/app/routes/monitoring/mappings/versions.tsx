import { Link } from '@remix-run/react';
import { DateText, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { paths } from '../../../paths.ts';
import type { MappingChange } from './mapping-changes.ts';

export interface MappingVersion {
  readonly id: string;
  readonly version: number;
  readonly savedAt: string | null;
  readonly savedBy: string | null;
  readonly rules: number;
  /** Compared with the previous version. Null for the first. */
  readonly changes: readonly MappingChange[] | null;
}

const SIGNS = { added: '+', removed: '\u2212', changed: '~' } as const;
const TONES = { added: 'text-good', removed: 'text-danger', changed: 'text-ink-2' } as const;

/** Every version with a description of its changes. */
export function Versions({ versions, shownId }: { versions: readonly MappingVersion[]; shownId: string }) {
  return (
    <PanelSection title="Versions" note="assets keep the version they were mapped with">
      <ul>
        {versions.map((version, index) => (
          <li key={version.id} className="border-b border-line last:border-b-0">
            <details>
              <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm hover:bg-hover">
                <b className="font-medium">Version {version.version}</b>
                {index === 0 ? <Chip tone="good">In use</Chip> : null}
                {version.id === shownId ? <Chip tone="accent">Shown</Chip> : null}
                <span className="text-ink-3">{formatCount(version.rules, 'rule')}</span>
                <span className="text-xs text-accent">
                  {version.changes === null ? 'First version' : formatCount(version.changes.length, 'change')}
                </span>
                <span className="ml-auto text-ink-2">
                  {version.savedBy ?? <Unknown reason="Not recorded" />}, <DateText value={version.savedAt} time />
                </span>
              </summary>
              {version.id === shownId ? null : (
                <p className="px-3 pt-1 pb-1.5 text-sm">
                  <Link to={paths.mapping(version.id)} className="font-medium text-accent hover:underline">
                    Open version {version.version}
                  </Link>
                </p>
              )}
              <ul className="px-3 pt-1 pb-3 text-sm">
                {version.changes === null ? <li className="text-ink-3">First version.</li> : null}
                {version.changes?.length === 0 ? <li className="text-ink-3">No changes.</li> : null}
                {version.changes?.map((change) => (
                  <li key={`${change.kind} ${change.text}`} className="flex gap-2">
                    <span className={`w-3 flex-none font-mono ${TONES[change.kind]}`} aria-hidden="true">
                      {SIGNS[change.kind]}
                    </span>
                    <span>
                      <span className="sr-only">{change.kind}: </span>
                      {change.text}
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}
