const CSRF_COOKIE = 'tapeline_csrf';

/** Signs in at a web server, and answers the headers of the user's calls. */
export type SignIn = (url: string) => Promise<Record<string, string>>;

/** Exchanges the refresh token, each time for its successor, and answers the headers of whoever is signed in. */
export function signInBy(instanceName: string, first: string): SignIn {
  const name = `${instanceName}_refresh`;
  let refreshToken = first;
  return async (url) => {
    const answer = await fetch(`${url}/auth/refreshAccessToken`, { headers: { cookie: `${name}=${refreshToken}` } });
    if (!answer.ok) throw new Error(`the sign-in was refused: ${answer.status} ${await answer.text()}`);
    const { accessToken } = (await answer.json()) as { accessToken: string };
    const cookies = new Map(
      answer.headers.getSetCookie().map((line) => (line.split(';')[0] ?? '').split('=', 2) as [string, string]),
    );
    refreshToken = cookies.get(name) ?? refreshToken;
    const csrf = cookies.get(CSRF_COOKIE);
    return {
      authorization: `Bearer ${accessToken}`,
      ...(csrf === undefined ? {} : { cookie: `${CSRF_COOKIE}=${csrf}` }),
    };
  };
}
