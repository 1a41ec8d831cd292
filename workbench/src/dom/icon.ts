// Icons, drawn here: lines on a 16 x 16 grid.

const PATHS = {
    play: "M4 2.5v11l9.5-5.5z",
    pause: "M4 2.5h3v11H4zM9.5 2.5h3v11h-3z",
    first: "M3 3h1.8v10H3zM13 3v10L5.6 8z",
    last: "M11.2 3H13v10h-1.8zM3 3v10l7.4-5z",
    back: "M10.5 3v10L4 8z",
    on: "M5.5 3v10L12 8z",
    loop: "M4.5 5H11v-2l3 3-3 3V7H5.5v2.5H4zM11.5 11H5v2l-3-3 3-3v2h5.5V6.5H12V11z",
    close: "M3.6 2.4 8 6.8l4.4-4.4 1.2 1.2L9.2 8l4.4 4.4-1.2 1.2L8 9.2l-4.4 4.4-1.2-1.2L6.8 8 2.4 3.6z",
    camera: "M2 4.5h3L6.2 3h3.6L11 4.5h3v8.5H2zM8 6a2.6 2.6 0 1 0 0 5.2A2.6 2.6 0 0 0 8 6z",
    film: "M2 3.5h8.5v3L14 4.8v6.4l-3.5-1.7v3H2z",
    open: "M2 3h4.6l1.2 1.6H14V13H2zM7.2 6.6v2H5.4L8 11.4l2.6-2.8H8.8v-2z",
    eye: "M8 3.5c3 0 5.4 2 6.6 4.5C13.4 10.5 11 12.5 8 12.5S2.6 10.5 1.4 8C2.6 5.5 5 3.5 8 3.5zm0 2A2.5 2.5 0 1 0 8 10.500 2.500 2.500 0 0 0 8 5.500z",
    moon: "M6.500 2A6 6 0 1 0 14 9.500 5 5 0 0 1 6.500 2z",
    sun: "M8 4.8A3.200 3.200 0 1 0 8 11.200 3.200 3.200 0 0 0 8 4.800zM7.300 1h1.400v2.200H7.300zM7.300 12.800h1.400V15H7.300zM1 7.300h2.200v1.400H1zM12.800 7.300H15v1.400h-2.200z",
    help: "M8 1.500A6.500 6.500 0 1 0 8 14.500 6.500 6.500 0 0 0 8 1.500zm-.8 9.300h1.700v1.700H7.200zm0-1.300c0-2.400 2-2.300 2-3.700 0-.7-.5-1.100-1.200-1.100s-1.300.5-1.300 1.400H5.100C5.100 4.300 6.400 3.300 8 3.300s2.900 1 2.900 2.500c0 2-2.100 2.100-2.100 3.700z",
    follow: "M7.300 1h1.400v2.300a4.800 4.800 0 0 1 4 4H15v1.400h-2.300a4.800 4.800 0 0 1-4 4V15H7.300v-2.300a4.800 4.800 0 0 1-4-4H1V7.300h2.300a4.800 4.800 0 0 1 4-4zM8 4.700A3.300 3.300 0 1 0 8 11.300 3.300 3.300 0 0 0 8 4.700zM8 6.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z",
    cube: "M8 1.200 14 4.500v7L8 14.800 2 11.500v-7zM3.500 5.700v5l3.800 2.100V7.700zM12.500 5.700 8.700 7.700v5.100l3.800-2.100zM8 2.900 4.300 4.900 8 6.900l3.700-2z",
} as const;

export function icon(name: keyof typeof PATHS): SVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("aria-hidden", "true");
    svg.classList.add("icon");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", PATHS[name]);
    path.setAttribute("fill", "currentColor");
    path.setAttribute("fill-rule", "evenodd");
    svg.append(path);
    return svg;
}
