// What the measures of pages share.

/** The screen of all measures. */
export const viewport = { width: 1280, height: 800 };

/**
 * Adds `filled(box, rows)` to the pages of a context: whether elements that match the
 * selector `rows` cover the height of a box.
 */
export async function addFilled(context) {
  await context.addInitScript(() => {
    window.filled = (box, rows) => {
      const { left, top } = box.getBoundingClientRect();
      for (let y = 1; y < box.clientHeight; y += 8) if (!document.elementsFromPoint(left + box.clientWidth / 2, top + y).some((element) => element.closest(rows))) return false;
      return box.clientHeight > 0;
    };
  });
}

/** Scrolls a box like a wheel, and counts the frames in which rows do not fill it. */
export async function measureScrolling(page, box, rows) {
  await page.waitForTimeout(1000);
  return page.evaluate(async ([selector, rows]) => {
    const box = document.querySelector(selector);
    const frames = 300, step = 60, start = box.scrollTop;
    let blank = 0, last = performance.now(), longest = 0;
    for (let frame = 0; frame < frames; frame++) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      box.scrollTop += step;
      // This is what the frame paints: the page is told of the scrolling in the next one.
      if (!window.filled(box, rows)) blank++;
    }
    if (box.scrollTop - start < frames * step) throw new Error(`it scrolled by ${box.scrollTop - start} pixels only`);
    return { frames, blank, longestFrame: longest };
  }, [box, rows]);
}

export function middle(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
