import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Upload } from 'lucide-react';
import { LinkButton } from '../../components/forms/button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Columns } from '../../components/page/section.tsx';
import { formatCount } from '../../figures/format.ts';
import { readMonitoring } from '../../monitoring/monitoring.server.ts';
import { paths } from '../../paths.ts';
import { readScreen } from '../../screen.server.ts';
import { Availability } from './availability.tsx';
import { Exceptions } from './exceptions.tsx';
import { PoolChart } from './pool-chart.tsx';
import { TapesByCompany } from './tapes-by-company.tsx';

export const meta: MetaFunction = () => [{ title: 'Monitoring · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) => readScreen(args, 'transactions/read', readMonitoring);

export default function Monitoring() {
  const monitoring = useLoaderData<typeof loader>();
  const { notes, companies, exceptions, mayUpload, maySeeTapes, maySeeBases } = monitoring;
  return (
    <>
      <PageHeader
        title="Monitoring"
        facts={[
          formatCount(notes.length, 'note'),
          ...(maySeeTapes ? [formatCount(companies.length, 'company with tapes', 'companies with tapes')] : []),
        ]}
        actions={
          mayUpload ? (
            <LinkButton to={paths.newTape()} tone="primary" icon={Upload}>
              Upload tapes
            </LinkButton>
          ) : undefined
        }
      />
      <Columns split="wide">
        {maySeeBases ? <Availability notes={notes} /> : null}
        <Exceptions exceptions={exceptions} />
      </Columns>
      {maySeeTapes ? (
        <Columns>
          <PoolChart charted={monitoring.charted} choices={monitoring.choices} />
          <TapesByCompany companies={companies} />
        </Columns>
      ) : null}
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
