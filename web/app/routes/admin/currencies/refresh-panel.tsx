import { useNavigation } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { DateText, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Button } from '../../../components/forms/button.tsx';
import { CsrfField } from '../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../components/forms/post-form.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Facts, PanelSection } from '../../../components/page/section.tsx';
import { useLivePage } from '../../../components/page/use-live-page.ts';
import type { CurrenciesPage } from './currencies-page.server.ts';

type Refresh = NonNullable<CurrenciesPage['refresh']>;
const timeOf = (refresh: { at: string } | null): number => (refresh ? new Date(refresh.at).getTime() : 0);
const failedLast = ({ succeeded, failed }: Refresh): boolean => timeOf(failed) > timeOf(succeeded);

function storedText({ outcome, ratesOn, currencyCount }: NonNullable<Refresh['succeeded']>): string {
  const rates = `rates of ${formatCount(currencyCount ?? 0, 'currency', 'currencies')} for ${formatCalendarDate(ratesOn ?? '')}`;
  return outcome === 'updated' ? `Stored ${rates}` : `Nothing new: the ${rates} were known`;
}

/** How the refresh went that was just asked for. With JavaScript, the page follows it. */
export function RefreshNotice({ refresh }: { refresh: Refresh }) {
  const { shown, succeeded, failed } = refresh;
  useLivePage(shown === 'running');
  if (shown === 'running') return <Notice>The rates are being refreshed. This can take up to two minutes.</Notice>;
  if (shown !== 'ended') return null;
  if (failed && failedLast(refresh)) {
    return <Notice tone="danger">The rates were not refreshed. {failed.reason}. Known rates did not change.</Notice>;
  }
  return succeeded ? <Notice tone="good">{storedText(succeeded)}.</Notice> : null;
}

/** The service, and how its last refreshes went. */
export function RefreshPanel({ refresh }: { refresh: Refresh }) {
  const { host, succeeded, failed, shown } = refresh;
  const { state, formData } = useNavigation();
  const isBusy = shown === 'running' || (state !== 'idle' && formData?.get('intent') === 'refresh');
  return (
    <PanelSection title="Refresh" note={host ? 'Every day at 16:30 UTC' : undefined} padded>
      {host ? (
        <>
          <Facts
            items={[
              { label: 'Service', value: host },
              {
                label: 'Last success',
                value: succeeded ? (
                  <>
                    <DateText value={succeeded.at} time />
                    <span className="block text-xs text-ink-2">{storedText(succeeded)}</span>
                  </>
                ) : (
                  <Unknown reason="No refresh has succeeded yet" />
                ),
              },
              {
                label: 'Last failure',
                value: failed ? (
                  <>
                    <DateText value={failed.at} time />
                    <span className={failedLast(refresh) ? 'block text-xs text-danger' : 'block text-xs text-ink-2'}>
                      {failed.reason}
                    </span>
                  </>
                ) : (
                  'None'
                ),
              },
            ]}
          />
          <PostForm className="mt-4" preventScrollReset>
            <CsrfField />
            <input type="hidden" name="intent" value="refresh" />
            <Button type="submit" aria-disabled={isBusy || undefined}>
              {isBusy ? 'Refreshing' : 'Refresh now'}
            </Button>
          </PostForm>
        </>
      ) : (
        <p className="text-sm text-ink-2">
          No service is configured, so rates are not refreshed. Set <code className="font-mono text-xs">RATES_URL</code>{' '}
          to the address of a service.
        </p>
      )}
    </PanelSection>
  );
}
