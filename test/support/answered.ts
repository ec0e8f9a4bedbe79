/** Over when so many of them have been answered. */
export const answered = (promises: readonly Promise<unknown>[], count: number): Promise<void> =>
  new Promise((resolve) => {
    let left = count;
    if (left === 0) resolve();
    for (const promise of promises) void promise.then(() => --left === 0 && resolve());
  });
