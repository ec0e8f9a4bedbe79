/**
 * Lines with a secret, and what must be left of them. Every secret is made up and put together here, so that no
 * scanner of this repository finds one.
 */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const FIGURES = '0123456789';

/** The same characters in every run, in no order that a reader would see. */
function drawn(from: string, length: number, seed: number): string {
  let state = seed * 7_919 + length;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from[Math.floor((state / 2_147_483_648) * from.length)];
  }).join('');
}

const mixed = (length: number, seed = 1) => drawn(LETTERS + FIGURES, length, seed);
const hex = (length: number, seed = 2) => drawn('0123456789abcdef', length, seed);
const upper = (length: number) => drawn(`${LETTERS.slice(26)}234567`, length, 3);
const figures = (length: number) => drawn('123456789', length, 4);
const base64url = (length: number, seed = 5) => drawn(`${LETTERS}${FIGURES}_-`, length, seed);
const base64 = (length: number) => drawn(`${LETTERS}${FIGURES}+/`, length, 6);
const R = '[redacted]';

const prefixed = (...parts: readonly string[]): string => parts.join('');

const TOKENS: Readonly<Record<string, string>> = {
  anthropic: prefixed('sk-', 'ant-', 'api03-', base64url(93), 'AA'),
  'anthropic oauth': prefixed('sk-', 'ant-', 'oat01-', base64url(93)),
  'openai, old': prefixed('sk-', mixed(20), 'T3BlbkFJ', mixed(20)),
  'openai project': prefixed('sk-', 'proj-', base64url(120)),
  'openai service account': prefixed('sk-', 'svcacct-', base64url(100)),
  openrouter: prefixed('sk-', 'or-', 'v1-', hex(64)),
  deepseek: prefixed('sk-', hex(32)),
  langfuse: prefixed('sk-', 'lf-', hex(8), '-', hex(4), '-', hex(4), '-', hex(4), '-', hex(12)),
  cerebras: prefixed('csk-', drawn('abcdefghjkmnpqrtvwxy23456789', 48, 9)),
  'hugging face': prefixed('hf', '_', drawn(LETTERS, 34, 7)),
  groq: prefixed('gsk', '_', mixed(52)),
  xai: prefixed('xai', '-', mixed(80)),
  perplexity: prefixed('pplx', '-', mixed(48)),
  replicate: prefixed('r8', '_', mixed(37)),
  tavily: prefixed('tvly', '-', 'dev-', mixed(32)),
  nvidia: prefixed('nvapi', '-', base64url(64)),
  langsmith: prefixed('lsv2', '_pt_', hex(32), '_', hex(10)),
  github: prefixed('ghp', '_', mixed(36)),
  'github oauth': prefixed('gho', '_', mixed(36)),
  'github server': prefixed('ghs', '_', mixed(36)),
  'github fine-grained': prefixed('github', '_pat_', mixed(22), '_', mixed(59)),
  gitlab: prefixed('glpat', '-', base64url(20)),
  'gitlab runner': prefixed('glrt', '-', base64url(20)),
  npm: prefixed('npm', '_', mixed(36)),
  pypi: prefixed('pypi', '-', 'AgEIcHlwaS5vcmc', base64url(150)),
  rubygems: prefixed('rubygems', '_', hex(48)),
  docker: prefixed('dckr', '_pat_', base64url(27)),
  digitalocean: prefixed('dop', '_v1_', hex(64)),
  databricks: prefixed('dapi', hex(32)),
  doppler: prefixed('dp', '.st.', 'prd.', mixed(43)),
  vault: prefixed('hvs', '.', base64url(90)),
  fly: prefixed('fo1', '_', base64url(43)),
  vercel: prefixed('vcp', '_', mixed(56)),
  pulumi: prefixed('pul', '-', hex(40)),
  planetscale: prefixed('pscale', '_tkn_', base64url(43)),
  supabase: prefixed('sbp', '_', hex(40)),
  'supabase secret': prefixed('sb', '_secret_', base64url(31)),
  tailscale: prefixed('tskey', '-auth-', mixed(17), '-', mixed(32)),
  cloudflare: prefixed('v1', '.0-', hex(24), '-', hex(146)),
  age: prefixed('AGE-SECRET-', 'KEY-1', drawn('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58, 11)),
  aws: prefixed('AKIA', upper(16)),
  'aws, temporary': prefixed('ASIA', upper(16)),
  google: prefixed('AIza', base64url(35)),
  'google oauth': prefixed('ya29', '.', base64url(100)),
  'google client': prefixed('GOCSPX', '-', base64url(28)),
  alibaba: prefixed('LTAI', mixed(20)),
  'azure client': prefixed(mixed(3), '8Q~', base64url(34).replaceAll('-', 'x')),
  stripe: prefixed('sk', '_live_', mixed(24)),
  'stripe restricted': prefixed('rk', '_live_', mixed(24)),
  'stripe webhook': prefixed('whsec', '_', mixed(32)),
  square: prefixed('sq0', 'atp-', base64url(22)),
  shopify: prefixed('shpat', '_', hex(32)),
  sendgrid: prefixed('SG', '.', base64url(22), '.', base64url(43)),
  twilio: prefixed('SK', hex(32)),
  mailgun: prefixed('key', '-', hex(32)),
  resend: prefixed('re', '_', mixed(8), '_', mixed(24)),
  brevo: prefixed('xkeysib', '-', hex(64), '-', mixed(16)),
  'slack bot': prefixed('xoxb', '-', figures(12), '-', figures(12), '-', mixed(24)),
  'slack app': prefixed('xapp', '-1-', upper(11), '-', figures(13), '-', hex(64)),
  linear: prefixed('lin', '_api_', mixed(40)),
  notion: prefixed('ntn', '_', mixed(46)),
  'notion, old': prefixed('secret', '_', mixed(43)),
  sentry: prefixed('sntrys', '_', base64(100)),
  grafana: prefixed('glsa', '_', mixed(32), '_', hex(8)),
  'new relic': prefixed('NRAK', '-', upper(27)),
  postman: prefixed('PMAK', '-', hex(24), '-', hex(34)),
  figma: prefixed('figd', '_', base64url(43)),
  airtable: prefixed('pat', mixed(14), '.', hex(64)),
  'json web token': prefixed('eyJ', base64url(30), '.', 'eyJ', base64url(60), '.', base64url(43)),
  rouse: prefixed('rouse', '_', base64url(43)),
};

const telegram = prefixed(figures(10), ':', 'AA', base64url(33));
const webhook = prefixed('T', upper(8), '/B', upper(10), '/', mixed(24));
const basic = Buffer.from('someone:swordfish').toString('base64');

/** What stands before the secret, the secret, what stands behind it. */
export const NAMED: readonly (readonly [string, string, string])[] = [
  ['https://api.telegram.org/bot1234567890:', telegram.split(':')[1] ?? '', '/getMe'],
  ['curl https://hooks.slack.com/services/', webhook, ' -d x'],
  ['https://discord.com/api/webhooks/123456789012345678/', base64url(68), ''],
  ['https://acme.webhook.office.com/webhookb2/', `${hex(36)}@${hex(36)}`, ''],
  ['Cookie: sid=', mixed(32), ''],
  ['-H "cookie: theme=', 'dark', '"'],
  ['set-cookie: session=', mixed(40), '; Path=/; HttpOnly; SameSite=Lax'],
  ['Authorization: Bearer ', mixed(32), ''],
  ['authorization: Basic ', basic, ''],
  ['curl -H "Authorization: token ', hex(40), '" https://x'],
  ['Authorization: ', mixed(40), ''],
  ['Proxy-Authorization: Basic ', basic, ''],
  ['{"headers":{"authorization":"Bearer ', mixed(40), '"}}'],
  ['sent with bearer ', mixed(24), ' to it'],
  ['X-Api-Key: ', mixed(20), ''],
  ['x-auth-token: ', hex(32), ''],
  ['PRIVATE-TOKEN: ', mixed(20), ''],
  ['export OPENAI_API_KEY=', mixed(24), ''],
  ['AWS_SECRET_ACCESS_KEY=', base64(40), ' aws s3 ls'],
  ['aws_secret_access_key = ', base64(40), ''],
  ['AWS_SESSION_TOKEN="', base64(200), '"'],
  ['CLOUDFLARE_API_TOKEN=', base64url(40), ''],
  ['HEROKU_API_KEY=', `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`, ''],
  ['AccountName=x;AccountKey=', `${base64(86)}==`, ';EndpointSuffix=core.windows.net'],
  ['Endpoint=sb://x/;SharedAccessKey=', `${base64(43)}=`, ''],
  ['https://x.blob.core.windows.net/c?sv=2024&sig=', `${mixed(40)}%3D`, '&se=2026'],
  ['Server=db;Uid=sa;Pwd=', 'hunter2', ';Database=x'],
  ['pwd=', 'hunter2!', ''],
  ['MYSQL_PWD=', 'swordfish', ' mysql'],
  ['PGPASSWORD=', 'postgres', ' psql -h db'],
  ['DB_PASS=', 'n0tsecret', ''],
  ['password=', 'swordfish', ''],
  ['password: ', 'hunter2hunter', ''],
  ["password: '", 'swordfish', "'"],
  ['  "password": "', 'correct.horse9', '",'],
  ['{\\"password\\":\\"', 'hunter2x', '\\"}'],
  ['DB_PASSWORD="', 'p@ss w0rd&more', '"'],
  ['PASSPHRASE="', 'correct horse battery staple', '"'],
  ['spring.datasource.password=', 'Tr0ub4dor&3'.split('&')[0] ?? '', ''],
  ['"client_secret": "', 'abcd1234efgh', '"'],
  ['os.environ["API_KEY"] = "', mixed(20), '"'],
  ['const apiKey = "', mixed(32), '";'],
  ["refreshToken: '", base64url(60), "',"],
  ['GET /api?access_token=', mixed(24), '&page=2'],
  ['SECRET_KEY_BASE=', hex(128), ''],
  ['secret: ', hex(40), ''],
  ['<apiKey>', mixed(24), '</apiKey>'],
  ['mysql --password=', 'swordfish1', ' -u root'],
  ['tool --api-key ', mixed(24), ' run'],
  ['tool --auth-token "', mixed(24), '" run'],
  ['tool --password ', 'hunter2x', ' run'],
  ['curl -u admin:', 'swordfish', ' https://x'],
  ['curl -sS --user "admin:', 'hunter2', '" https://x'],
  ['sshpass -p ', 'swordfish', ' ssh x'],
  ['mysql -u root -p', 'swordfish', ' db'],
  ['docker login -u me -p ', 'swordfish', ' registry'],
  ['redis-cli -h x -a ', 'swordfish', ' ping'],
  ['machine api.x.com login me password ', 'swordfish', ''],
  ["ALTER USER app WITH PASSWORD '", 'swordfish', "';"],
  ["CREATE USER 'a'@'%' IDENTIFIED BY '", 'swordfish', "';"],
  ['postgres://me:', 'hunter2', '@db/x'],
  ['amqp://me:', 'p@ss', '@mq:5672'],
  ['redis://:', 'swordfish', '@cache:6379/0'],
  ['git clone https://', mixed(40), '@git.example.com/x.git'],
  ['-----BEGIN PRIVATE KEY-----\\n', base64(64), '\\n-----END PRIVATE KEY-----\\n'],
];

export const SECRETS: readonly (readonly [name: string, line: string, clean: string])[] = [
  ...Object.entries(TOKENS).map(([name, token]) => [name, `using ${token} now`, `using ${R} now`] as const),
  ...NAMED.map(
    ([before, secret, behind]) => [before.trim(), `${before}${secret}${behind}`, `${before}${R}${behind}`] as const,
  ),
];

const body = [base64(64), drawn(`${LETTERS}${FIGURES}+/`, 64, 12), 'Qw=='];
/** A key as `cat` shows it, between two ordinary lines. */
export const PRIVATE_KEY = {
  body,
  lines: ['before', '-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----', 'after'],
};
