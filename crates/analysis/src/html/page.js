"use strict";
(function(){
var root=document.documentElement,plies=JSON.parse(document.getElementById("plies").textContent),
box=document.getElementById("viewer"),range=document.getElementById("ply"),caption=document.getElementById("caption"),
svg=box.querySelector("svg"),ns="http://www.w3.org/2000/svg",discs=[],now=-1,i;
function add(name,attributes){var e=document.createElementNS(ns,name),k;for(k in attributes)e.setAttribute(k,attributes[k]);svg.appendChild(e);return e}
function x(s){return 42+40*(s%8)}
function y(s){return 42+40*Math.floor(s/8)}
for(i=0;i<64;i++)discs.push(add("circle",{cx:x(i),cy:y(i),r:17,visibility:"hidden"}));
var last=add("circle",{r:5,fill:"#e5484d",visibility:"hidden"}),
best=add("circle",{r:11,fill:"none",stroke:"#ffd43b","stroke-width":4.5,visibility:"hidden"});
function mark(e,s){if(s<0){e.setAttribute("visibility","hidden");return}e.setAttribute("cx",x(s));e.setAttribute("cy",y(s));e.setAttribute("visibility","visible")}
function show(p){
p=Math.max(0,Math.min(plies.length-1,p));if(p===now)return;now=p;
var it=plies[p],k,c;
for(k=0;k<64;k++){c=it.b[k];discs[k].setAttribute("visibility",c==="-"?"hidden":"visible");
if(c!=="-"){discs[k].setAttribute("fill",c==="X"?"#161a18":"#f7f7f2");discs[k].setAttribute("stroke",c==="X"?"#000":"#9aa39d")}}
mark(last,it.l);mark(best,it.n);caption.textContent=it.t;range.value=p;
document.querySelectorAll(".now").forEach(function(e){e.classList.remove("now")});
document.querySelectorAll('[data-p="'+p+'"]').forEach(function(e){e.classList.add("now")});
document.querySelectorAll("svg.graph").forEach(function(g){var a=g.querySelector(".at"),at=+g.dataset.x+(+g.dataset.w)*p/Math.max(1,plies.length-1);
a.setAttribute("x1",at);a.setAttribute("x2",at);a.style.visibility="visible"});
}
root.classList.add("js");range.max=plies.length-1;
range.addEventListener("input",function(){show(+range.value)});
document.getElementById("back").addEventListener("click",function(){show(now-1)});
document.getElementById("on").addEventListener("click",function(){show(now+1)});
document.addEventListener("keydown",function(e){if(e.target===range||e.altKey||e.ctrlKey||e.metaKey)return;
if(e.key==="ArrowLeft"){show(now-1)}else if(e.key==="ArrowRight"){show(now+1)}});
document.querySelectorAll("[data-p]").forEach(function(e){e.addEventListener("click",function(){show(+e.dataset.p);box.scrollIntoView({block:"nearest"})})});
document.querySelectorAll("svg.graph").forEach(function(g){
function at(e){var r=g.getBoundingClientRect(),v=g.viewBox.baseVal.width,px=(e.clientX-r.left)*v/r.width;
show(Math.round((px-g.dataset.x)/g.dataset.w*(plies.length-1)))}
g.style.cursor="crosshair";g.addEventListener("click",at);g.addEventListener("mousemove",function(e){if(e.buttons&1)at(e)})});
show(plies.length-1);
})();
