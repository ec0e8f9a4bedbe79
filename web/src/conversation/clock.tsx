/** Made once: to make one takes longer than to draw the row that it stands in. */
const time = { hour: '2-digit', minute: '2-digit' } as const;
const ofToday = new Intl.DateTimeFormat([], time);
const ofAnotherDay = new Intl.DateTimeFormat([], { ...time, month: 'short', day: 'numeric' });

const today = (date: Date): boolean => date.toDateString() === new Date().toDateString();

/** The time of the day, and the day where it is another one. */
export function Clock({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time class="faint small clock" dateTime={at} title={date.toLocaleString()}>
      {(today(date) ? ofToday : ofAnotherDay).format(date)}
    </time>
  );
}
