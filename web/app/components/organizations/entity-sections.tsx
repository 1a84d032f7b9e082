import { Link } from '@remix-run/react';
import { COLLECTIONS, pageOf } from '@tapeline/domain/collections/collections.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import type { Address } from '@tapeline/domain/entities/entity.schema.ts';
import { RECEIVED, RECEIVED_LABELS } from '@tapeline/domain/entities/received.ts';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { DateText, Figure, Money, Name, Unknown } from '../figures/figures.tsx';
import { formatBytes } from '../figures/format.ts';
import { Chip } from '../page/chip.tsx';
import { EmptyState } from '../page/empty-state.tsx';
import { Notice } from '../page/notice.tsx';
import { Columns, Facts, PanelSection } from '../page/section.tsx';
import { TableSection } from '../tables/data-table.tsx';
import type { Connected, ShownEntity } from './organization-page.server.ts';

const orUnknown = (text: string | null | undefined) => text || <Unknown reason="Not given" />;

/** "21 Quay Street, Halifax, HX1 1AA, United Kingdom". */
export function addressText({ address, houseNumber, city, state, zip, country }: Address): string {
  const street = [houseNumber, address].filter(Boolean).join(' ');
  return [street, city, state, zip, countryName(country)].filter(Boolean).join(', ');
}

/** A link to a page outside of the product. */
const WebPage = ({ address }: { address: string }) => (
  <a href={address} rel="noreferrer" className="tap-text text-accent hover:underline">
    {address.replace(/^https?:\/\/(www\.)?/, '')}
  </a>
);

const EntityImage = ({ name, of }: { name: string; of: string }) => (
  <img src={paths.image({ key: name })} alt={of} className="h-8 max-w-40 rounded-sm bg-white object-contain p-0.5" />
);

/** A fact that is left out where it is not known. */
const given = <Value,>(
  label: string,
  value: Value | '' | null | undefined,
  show: (value: Value) => ReactNode = (known) => String(known),
) => (value === null || value === undefined || value === '' ? [] : [{ label, value: show(value as Value) }]);

/** The facts of an organization's legal entity. */
export function EntityFacts({ entity }: { entity: ShownEntity }) {
  const { nationality, business, person } = entity;
  return (
    <PanelSection title="Legal entity" padded>
      <Facts
        items={[
          { label: 'Legal name', value: entity.name },
          { label: 'Formal id', value: <span className="font-mono">{entity.formalId}</span> },
          { label: 'Address', value: addressText(nationality) },
          ...given('Logo', business?.logo, (key) => <EntityImage name={key} of={`Logo of ${entity.name}`} />),
          ...given('Icon', business?.icon, (key) => <EntityImage name={key} of={`Icon of ${entity.name}`} />),
          ...(business
            ? [
                { label: 'Formal name', value: business.formalName },
                { label: 'Type of business', value: business.type },
                {
                  label: 'Established',
                  value: <DateText value={business.dateEstablished ?? null} unknown="Not given" />,
                },
                { label: 'Currency', value: orUnknown(business.currency) },
                ...given('Industries', business.industries?.join(', ')),
                ...given('Stage', business.stage),
                ...given('Employees', business.FTEs, (employees) => <Figure value={employees} zero="figure" />),
                ...given('Raised', business.raised, (raised) =>
                  business.currency ? (
                    <Money value={{ sum: raised, currency: business.currency }} withCurrency />
                  ) : (
                    <Figure value={raised} />
                  ),
                ),
                ...given('Website', business.siteLink, (address) => <WebPage address={address} />),
                ...given('LinkedIn', business.linkedinPage, (address) => <WebPage address={address} />),
              ]
            : []),
          ...(person?.dob ? [{ label: 'Date of birth', value: <DateText value={person.dob} /> }] : []),
          ...given('Categories', entity.category.join(', ')),
          ...given('Description', entity.description),
          ...given('Business', business?.description),
        ]}
      />
    </PanelSection>
  );
}

/** What a contact of an investor receives, in words. */
const receivedBy = ({ receives }: ShownEntity['contacts'][number]): string => {
  if (!receives || receives.length === RECEIVED.length) return 'Everything';
  return receives.length === 0 ? 'Nothing' : receives.map((kind) => RECEIVED_LABELS[kind]).join(', ');
};

/** Contacts, bank accounts, head offices and shares. Lists without entries are left out, except contacts and banks. */
export function EntityLists({ entity }: { entity: ShownEntity }) {
  const { contacts, banks, business } = entity;
  const offices = business?.headQuarters ?? [];
  const shares = business?.shares ?? [];
  const contactTable = (
    <TableSection
      title="Contacts"
      narrow="list"
      rows={contacts}
      rowKey={(row) => `${row.name} ${row.email ?? ''} ${row.phone ?? ''}`}
      empty={<EmptyState title="No contacts" />}
      columns={[
        { head: 'Name', name: (row) => row.name },
        { head: 'Role', cell: (row) => orUnknown(row.role) },
        { head: 'Email', cell: (row) => orUnknown(row.email) },
        { head: 'Phone', cell: (row) => orUnknown(row.phone) },
        ...(contacts.some(({ receives }) => receives) ? [{ head: 'Receives', cell: receivedBy }] : []),
      ]}
    />
  );
  return (
    <>
      {offices.length + shares.length > 0 ? (
        <Columns>
          {contactTable}
          {offices.length > 0 ? (
            <TableSection
              title="Head offices"
              narrow="list"
              rows={offices}
              rowKey={(row) => `${row.name ?? ''} ${addressText(row)}`}
              columns={[
                { head: 'Name', cell: (row) => row.name || countryName(row.country) },
                { head: 'Address', cell: (row) => addressText(row) },
              ]}
            />
          ) : null}
          {shares.length > 0 ? (
            <TableSection
              title="Shares"
              note={business?.currency ? `Face value in ${business.currency}` : undefined}
              narrow="list"
              rows={shares}
              rowKey={(row) => `${row.type} ${row.amount ?? ''} ${row.percentage ?? ''}`}
              columns={[
                { head: 'Type', name: (row) => row.type },
                { head: 'Shares', figure: (row) => row.amount, unknown: 'Not given' },
                { head: 'Share (%)', figure: (row) => row.percentage, unknown: 'Not given' },
                { head: 'Face value', figure: (row) => row.faceValue, unknown: 'Not given' },
                { head: 'Priority', figure: (row) => row.priority, unknown: 'Not given' },
              ]}
            />
          ) : null}
        </Columns>
      ) : (
        contactTable
      )}
      <TableSection
        title="Bank accounts"
        narrow="list"
        rows={banks}
        rowKey={(row) => `${row.title} ${row.accountNumber}`}
        empty={<EmptyState title="No bank accounts" />}
        columns={[
          { head: 'Bank', name: (row) => row.title },
          { head: 'Account', cell: (row) => <span className="font-mono">{row.accountNumber}</span> },
          { head: 'IBAN', cell: (row) => (row.IBAN ? <span className="font-mono">{row.IBAN}</span> : orUnknown(null)) },
          {
            head: 'SWIFT',
            cell: (row) => (row.swiftCode ? <span className="font-mono">{row.swiftCode}</span> : orUnknown(null)),
          },
          {
            head: 'ABA',
            cell: (row) => (row.abaOrRouting ? <span className="font-mono">{row.abaOrRouting}</span> : orUnknown(null)),
          },
          { head: 'Type', cell: (row) => row.type },
        ]}
      />
    </>
  );
}

const shownOf = (rows: readonly unknown[], total: number) =>
  rows.length < total ? `The first ${rows.length} of ${total}` : undefined;

/** The roles of a legal entity: the companies, investors, funds and other documents that refer to it. */
export function Connections({ title, rows }: { title: string; rows: Connected['others'] }) {
  if (rows.length === 0) return null;
  return (
    <TableSection
      title={title}
      narrow="list"
      rows={rows}
      rowTo={(row) => pageOf(row.kind, row.id)}
      columns={[
        { head: 'Title', name: (row) => row.title },
        { head: 'Role', cell: (row) => <Chip>{COLLECTIONS[row.kind].one}</Chip> },
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
}

/** Warns that another organization of the same kind has the same name. */
export function Namesakes({
  noun,
  namesakes,
}: {
  noun: string;
  namesakes: readonly { id: string; name: string; to: string }[];
}) {
  if (namesakes.length === 0) return null;
  return (
    <Notice tone="warning">
      Another {noun} has the same name:{' '}
      {namesakes.map(({ id, name, to }, index) => (
        <span key={id}>
          {index > 0 ? ', ' : ''}
          <Link to={to} className="text-accent hover:underline">
            {name}
          </Link>
        </span>
      ))}
      . Check whether it was entered twice.
    </Notice>
  );
}

/** The people who act for an organization, its email domains and its files. */
export function PeopleAndFiles({ connected, domains }: { connected: Connected; domains: readonly string[] }) {
  const { users, files, others } = connected;
  return (
    <>
      {users ? (
        <TableSection
          title="People"
          note={[shownOf(users.rows, users.total), domains.length > 0 ? `Email domains: ${domains.join(', ')}` : null]
            .filter(Boolean)
            .join(' · ')}
          narrow="list"
          rows={users.rows}
          empty={<EmptyState title="No users yet">Users who act for this organization are listed here.</EmptyState>}
          columns={[
            { head: 'Name', name: (row) => row.name },
            { head: 'Email', cell: (row) => row.email },
            { head: 'Last visit', date: (row) => row.lastVisited, unknown: 'Has not signed in yet' },
            { head: 'Status', status: (row) => row.status },
          ]}
        />
      ) : null}
      <Connections title="Other roles of this entity" rows={others} />
      {files.rows.length > 0 ? (
        <TableSection
          title="Files"
          note={shownOf(files.rows, files.total)}
          narrow="list"
          rows={files.rows}
          columns={[
            {
              head: 'Name',
              cell: (row) => (
                <a href={paths.download(row.id)} className="tap-text text-accent hover:underline">
                  <Name length={60}>{row.name}</Name>
                </a>
              ),
            },
            { head: 'Kind', cell: (row) => (row.isDistribution ? 'Distributions' : codeLabel(row.bucket)) },
            { head: 'Size', numeric: true, cell: (row) => formatBytes(row.size) },
            { head: 'Added', date: (row) => row.createdAt },
          ]}
        />
      ) : null}
    </>
  );
}
