import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestRatesServer {
  readonly url: string;
  /** Requests since the last `answer`. */
  readonly requests: number;
  /** What the server does with the next requests. */
  answer(with_: string | ((response: ServerResponse, request: number) => void)): void;
  close(): Promise<void>;
}

/** A rates service on a free port of this machine. */
export async function openRatesServer(): Promise<TestRatesServer> {
  let requests = 0;
  let respond: (response: ServerResponse, request: number) => void = (response) => void response.end();
  const server = createServer((_, response) => {
    requests += 1;
    respond(response, requests);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/daily`,
    get requests() {
      return requests;
    },
    answer(given) {
      requests = 0;
      respond = typeof given === 'string' ? (response) => void response.end(given) : given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As the European Central Bank publishes a day. */
export const ecbXml = (
  date: string,
  rates: Readonly<Record<string, string>>,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube><Cube time='${date}'>
    ${Object.entries(rates)
      .map(([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`)
      .join('\n    ')}
  </Cube></Cube>
</gesmes:Envelope>`;
