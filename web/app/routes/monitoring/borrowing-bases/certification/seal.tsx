import { Mono } from '../../../../components/figures/figures.tsx';
import { Facts, PanelSection } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { CertificationPage } from './certification-page.server.ts';

/** The sealed file of an accepted certificate, and how anyone can check a copy of it. */
export function Seal({ shown, verification }: Pick<CertificationPage, 'shown' | 'verification'>) {
  if (!shown?.sha256 || !verification) return null;
  return (
    <PanelSection
      title="Sealed certificate"
      note={shown.status === 'Accepted' ? 'this file and no other was accepted' : 'superseded by a later certificate'}
      padded
    >
      <Facts
        items={[
          {
            label: 'File',
            value: shown.fileId ? (
              <a href={paths.download(shown.fileId)} className="text-accent hover:underline">
                Sealed PDF
              </a>
            ) : null,
          },
        ]}
      />
      <dl className="mt-3 grid gap-3 text-sm">
        <div className="min-w-0">
          <dt className="text-xs text-ink-2">SHA-256</dt>
          <dd className="break-all">
            <Mono>{shown.sha256}</Mono>
          </dd>
        </div>
        <div className="min-w-0">
          <dt className="text-xs text-ink-2">Verify a copy at</dt>
          <dd className="break-all">
            <a href={verification} className="text-accent hover:underline">
              {verification}
            </a>
          </dd>
        </div>
      </dl>
    </PanelSection>
  );
}
