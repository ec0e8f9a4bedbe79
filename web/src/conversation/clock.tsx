const today = (date: Date): boolean => date.toDateString() === new Date().toDateString();

/** The time of the day, and the day where it is another one. */
export function Clock({ at }: { readonly at: string }) {
  const date = new Date(at);
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  return (
    <time class="faint small clock" dateTime={at} title={date.toLocaleString()}>
      {today(date)
        ? date.toLocaleTimeString([], time)
        : date.toLocaleString([], { ...time, month: 'short', day: 'numeric' })}
    </time>
  );
}
