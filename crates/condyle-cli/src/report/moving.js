// Draws the figure of this page: drag to turn, wheel to zoom, space to play.
(function () {
  "use strict";
  var data = JSON.parse(document.getElementById("moving-data").textContent);
  var canvas = document.getElementById("moving"), slider = document.getElementById("moving-time");
  var button = document.getElementById("moving-play"), dots = document.getElementById("moving-markers");
  var clock = document.getElementById("moving-clock"), pen = canvas.getContext("2d");
  var count = data.points_mm.length, now = 0, before = 0, playing = false;
  var yaw = 0.6, pitch = 0.25, zoom = 1;
  if (!count) { return; }
  slider.max = String(count - 1);
  // Recordings may begin before anybody is seen, or with a foot of somebody.
  var shown = data.points_mm.map(function (values) { return values.filter(function (v) { return v !== null; }).length; });
  var most = shown.reduce(function (a, b) { return Math.max(a, b); }, 0);
  now = Math.max(0, shown.findIndex(function (n) { return n > 0 && 10 * n >= 9 * most; }));
  slider.value = String(now);
  var low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
  function spread(list) {
    list.forEach(function (values) {
      for (var i = 0; i < values.length; i += 1) {
        if (values[i] === null) { continue; }
        low[i % 3] = Math.min(low[i % 3], values[i]);
        high[i % 3] = Math.max(high[i % 3], values[i]);
      }
    });
  }
  spread(data.points_mm);
  if (low[0] > high[0]) { spread(data.markers_mm); }
  var tall = Math.max(high[2] - low[2], 300);
  var dark = ["#30475e", "#b0558a", "#007a59"], pale = ["#dde3ea", "#edd0e0", "#bfe4d8"];
  var order = data.lines.map(function (line, l) { return l; });
  // Follows the middle of the figure, so that one who walks stays in sight.
  function middle(k) {
    var sum = [0, 0], n = 0, values = data.points_mm[k].length ? data.points_mm[k] : data.markers_mm[k];
    for (var i = 0; i + 2 < values.length; i += 3) {
      if (values[i] !== null) { sum[0] += values[i]; sum[1] += values[i + 1]; n += 1; }
    }
    return n ? [sum[0] / n, sum[1] / n] : [0, 0];
  }
  function draw() {
    var k = Math.min(count - 1, Math.floor(now));
    var ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    canvas.width = w * ratio; canvas.height = h * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    var scale = zoom * 0.8 * h / tall, m = middle(k);
    var cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch);
    function place(x, y, z) {
      var a = x - m[0], b = y - m[1], c = z - low[2] - tall / 2;
      var across = -a * sy + b * cy, towards = a * cy + b * sy;
      return [w / 2 + across * scale, h / 2 - (c * cp - towards * sp) * scale, towards * cp + c * sp];
    }
    pen.strokeStyle = "#e2e2e2"; pen.lineWidth = 1;
    for (var g = -3; g <= 3; g += 1) {
      var x0 = Math.round(m[0] / 500) * 500, y0 = Math.round(m[1] / 500) * 500;
      [[place(x0 + g * 500, y0 - 1500, low[2]), place(x0 + g * 500, y0 + 1500, low[2])],
       [place(x0 - 1500, y0 + g * 500, low[2]), place(x0 + 1500, y0 + g * 500, low[2])]].forEach(function (l) {
        pen.beginPath(); pen.moveTo(l[0][0], l[0][1]); pen.lineTo(l[1][0], l[1][1]); pen.stroke();
      });
    }
    var at = [], values = data.points_mm[k];
    for (var p = 0; p + 2 < values.length; p += 3) {
      at.push(values[p] === null ? null : place(values[p], values[p + 1], values[p + 2]));
    }
    pen.lineCap = "round"; pen.lineJoin = "round";
    (data.trunks || []).forEach(function (trunk) {
      if (!trunk.every(function (j) { return at[j]; })) { return; }
      pen.fillStyle = pale[0]; pen.strokeStyle = pale[0]; pen.lineWidth = 100 * scale;
      pen.beginPath();
      trunk.forEach(function (j) { pen.lineTo(at[j][0], at[j][1]); });
      pen.closePath(); pen.fill(); pen.stroke();
    });
    // What is far is drawn first.
    function depth(line) { return at[line[0]] && at[line[1]] ? at[line[0]][2] + at[line[1]][2] : 0; }
    order.sort(function (a, b) { return depth(data.lines[a]) - depth(data.lines[b]); });
    order.forEach(function (l) {
      var a = at[data.lines[l][0]], b = at[data.lines[l][1]], side = (data.sides || [])[l] || 0;
      if (!a || !b) { return; }
      [[pale[side], ((data.widths_mm || [])[l] || 0) * scale], [dark[side], 2.5]].forEach(function (stroke) {
        if (!stroke[1]) { return; }
        pen.strokeStyle = stroke[0]; pen.lineWidth = stroke[1];
        pen.beginPath(); pen.moveTo(a[0], a[1]); pen.lineTo(b[0], b[1]); pen.stroke();
      });
    });
    if (dots.checked) {
      [["#8a8a8a", data.markers_mm[k]], ["#e6a23c", (data.filled_mm || [])[k] || []]].forEach(function (kind) {
        pen.fillStyle = kind[0];
        var seen = kind[1];
        for (var i = 0; i + 2 < seen.length; i += 3) {
          var q = place(seen[i], seen[i + 1], seen[i + 2]);
          pen.beginPath(); pen.arc(q[0], q[1], 1.7, 0, 7); pen.fill();
        }
      });
    }
    data.known.forEach(function (known, j) {
      if (!known || !at[j]) { return; }
      var radius = data.sd_mm[j] * scale;
      pen.strokeStyle = known === 3 ? "#c0392b" : "#1c1c1c";
      if (radius > 3 && known !== 3) {
        pen.lineWidth = 0.8; pen.globalAlpha = 0.5;
        pen.beginPath(); pen.arc(at[j][0], at[j][1], radius, 0, 7); pen.stroke(); pen.globalAlpha = 1;
      }
      pen.fillStyle = known === 1 ? "#1c1c1c" : "#fff"; pen.lineWidth = 1.5;
      pen.beginPath(); pen.arc(at[j][0], at[j][1], 3, 0, 7); pen.fill(); pen.stroke();
    });
    clock.textContent = (k / data.rate_hz).toFixed(2) + " s";
  }
  function tick(time) {
    if (!playing) { return; }
    now = (now + (time - before) / 1000 * data.rate_hz) % count;
    before = time; slider.value = String(Math.floor(now)); draw();
    window.requestAnimationFrame(tick);
  }
  function play(wanted) {
    playing = wanted; button.textContent = playing ? "Pause" : "Play";
    if (playing) { before = window.performance.now(); window.requestAnimationFrame(tick); }
  }
  button.addEventListener("click", function () { play(!playing); });
  slider.addEventListener("input", function () { now = Number(slider.value); draw(); });
  dots.addEventListener("change", draw);
  canvas.addEventListener("keydown", function (e) { if (e.key === " ") { e.preventDefault(); play(!playing); } });
  var held = null;
  canvas.addEventListener("pointerdown", function (e) { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", function (e) {
    if (!held) { return; }
    yaw -= (e.clientX - held[0]) * 0.01;
    pitch = Math.max(-1.5, Math.min(1.5, pitch + (e.clientY - held[1]) * 0.01));
    held = [e.clientX, e.clientY]; draw();
  });
  canvas.addEventListener("pointerup", function () { held = null; });
  canvas.addEventListener("wheel", function (e) { e.preventDefault(); zoom *= Math.exp(-e.deltaY * 0.001); draw(); }, { passive: false });
  window.addEventListener("resize", draw);
  draw();
}());
